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
      const replacement = textOf(told['replacement'])
      return [
        {
          path: path.split('.'),
          since,
          removedAfter: textOf(told['removedAfter']) ?? '',
          description: textOf(told['description']) ?? '',
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
