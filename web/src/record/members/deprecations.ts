import type { Member } from '../../api/index.ts'

/** Since when a member is deprecated, and what has the same value. */
export type Deprecation = {
  readonly path: readonly string[]
  readonly since: string
  readonly removedAfter: string
  readonly description: string
  readonly replacement?: string
}

/** Those of the members that the hub tells of. */
export function readDeprecations(
  members: readonly Pick<Member, 'path' | 'deprecated'>[],
): readonly Deprecation[] {
  return members.flatMap(({ path, deprecated }) => {
    if (deprecated === null) return []
    const { since, removedAfter, description } = deprecated
    // Most descriptions say no more than what to use, in English.
    const use = /^Use (?<path>[\w.]+)$/.exec(description)?.groups?.['path']
    const replacement = deprecated.replacement ?? use
    const told = { path: path.split('.'), since, removedAfter, description }
    return [replacement === undefined ? told : { ...told, replacement }]
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
