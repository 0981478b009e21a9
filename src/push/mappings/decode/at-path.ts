import { Type } from 'typebox'
import type { Static } from 'typebox'
import { DecodeFault, placed } from './fault.ts'
import type { Decoding } from './limits.ts'

const memberName = Type.String({ minLength: 1, maxLength: 255 })

export const MemberPath = Type.Union(
  [
    Type.String({ minLength: 1, maxLength: 1000 }),
    Type.Array(memberName, { minItems: 1, maxItems: 50 }),
  ],
  {
    description:
      'Names of members with dots between them, or a list of names; `*` is every element or member',
  },
)
export type MemberPath = Static<typeof MemberPath>

/** Every element of a list, every member of an object. */
const every = '*'

/**
 * A decoded value in which the members of a path are decoded, too. A member that is absent, null or no
 * text is left as it is: some providers send what is usually text as an object. Where `*` goes through
 * a list, an element whose member is broken is told and left out.
 * @throws DecodeFault with the pointer to the member that is broken
 */
export function decodeAt(
  value: unknown,
  { path, decode }: { readonly path: MemberPath; readonly decode: (text: string) => unknown },
  decoding: Decoding,
): unknown {
  const names = typeof path === 'string' ? path.split('.') : path
  return replaceAt(value, { names, pointer: '', decode }, decoding)
}

type Way = {
  readonly names: readonly string[]
  /** To the value that is looked at. */
  readonly pointer: string
  readonly decode: (text: string) => unknown
}

function replaceAt(value: unknown, way: Way, decoding: Decoding): unknown {
  const { names, pointer, decode } = way
  const [name, ...rest] = names
  if (name === undefined) {
    return typeof value === 'string' ? placed({ pointer }, () => decode(value)) : value
  }
  const inside = (key: string): Way => ({
    names: rest,
    pointer: `${pointer}/${escapeName(key)}`,
    decode,
  })
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    return name === every ? replaceInList(list, inside, decoding) : list
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key,
      name === every || key === name ? replaceAt(member, inside(key), decoding) : member,
    ]),
  )
}

function replaceInList(
  list: readonly unknown[],
  inside: (key: string) => Way,
  decoding: Decoding,
): unknown[] {
  const kept: unknown[] = []
  for (const [index, element] of list.entries()) {
    try {
      kept.push(replaceAt(element, inside(String(index)), decoding))
    } catch (error) {
      if (!(error instanceof DecodeFault)) throw error
      decoding.tellBroken(error)
    }
  }
  return kept
}

/** RFC 6901 section 3. */
const escapeName = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
