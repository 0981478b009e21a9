import { isMembers, listOf, membersOf, textOf } from '../read/json.ts'

/** Since when a member is deprecated, and what has the same value. */
export type Deprecation = {
  readonly path: readonly string[]
  readonly since: string
  readonly removedAfter: string
  readonly description: string
  readonly replacement?: string
}

/** Those of the answer of `/catalogue/{service}/{type}/members`. */
export function readDeprecations(answer: unknown): readonly Deprecation[] {
  return listOf(membersOf(answer)['members'])
    .filter(isMembers)
    .flatMap((member) => {
      const told = membersOf(member['deprecated'])
      const [path, since] = [textOf(member['path']), textOf(told['since'])]
      if (path === undefined || since === undefined) return []
      const description = textOf(told['description']) ?? ''
      // Most descriptions say no more than what to use, in English.
      const use = /^Use (?<path>[\w.]+)$/.exec(description)?.groups?.['path']
      const replacement = textOf(told['replacement']) ?? use
      return [
        {
          path: path.split('.'),
          since,
          removedAfter: textOf(told['removedAfter']) ?? '',
          description,
          ...(replacement === undefined ? {} : { replacement }),
        },
      ]
    })
}

/** What is told of the member at a way into a record: `['GpsPoints', 'position', 'Latitude']`. */
export function deprecationAt(
  deprecations: readonly Deprecation[],
  way: readonly string[],
): Deprecation | undefined {
  return deprecations.find(
    ({ path }) =>
      path.length === way.length &&
      path.every((part, index) => part === way[index] || /^(\[\*\]|\{\w+\})$/.test(part)),
  )
}
