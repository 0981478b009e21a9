/**
 * A record without the members at some paths, such as `EventDate.GpsEast`; a path goes through arrays.
 * What the interface lists as removed (9.1) is never stored, and so never served.
 */
export function withoutMembers(
  record: object,
  paths: readonly string[],
): Readonly<Record<string, unknown>> {
  const kept = Object.entries(record).filter(([name]) => !paths.includes(name))
  return Object.fromEntries(
    kept.map(([name, member]) => [name, withoutBelow(member, pathsBelow(paths, name))]),
  )
}

function withoutBelow(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withoutBelow(item, paths))
  return withoutMembers(value, paths)
}

function pathsBelow(paths: readonly string[], name: string): readonly string[] {
  const prefix = `${name}.`
  return paths.flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []))
}
