import { readJson } from '../../api/index.ts'

/** Something that is on its way out, or gone, as the hub says it. */
export type Deprecation = {
  readonly of: string
  readonly kind: 'member' | 'parameter' | 'route'
  readonly name: string
  readonly type: string
  readonly state: 'deprecated' | 'removed'
  readonly description: string
  readonly since: string
  readonly until: string
  /** What the links in headers lead to. */
  readonly anchor: string
}

type Answer = { readonly deprecations: readonly Deprecation[] }

export async function loadDeprecations(signal: AbortSignal): Promise<readonly Deprecation[]> {
  return (await readJson<Answer>('/deprecations', {}, signal)).deprecations
}

export type Wish = { readonly text: string; readonly of: string; readonly state: string }

/** The entries that have all the words in their name or in what is said of them. */
export function findDeprecations(
  all: readonly Deprecation[],
  { text, of, state }: Wish,
): readonly Deprecation[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  return all.filter((one) => {
    const readable = `${one.of} ${one.name} ${one.description}`.toLowerCase()
    return (
      (of === '' || one.of === of) &&
      (state === '' || one.state === state) &&
      wanted.every((word) => readable.includes(word))
    )
  })
}
