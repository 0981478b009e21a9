import type { Described, Description } from './structures.ts'

type Own = Partial<Description>

/** Builds a record with field descriptions for tests. */
export function describeFields(
  record: Described['record'],
  fields: Readonly<Record<string, Own>>,
): Described {
  const plain = { type: 'text', label: null, role: null, part: null, entity: null } as const
  return {
    record,
    members: Object.entries(fields).map(([path, own]) => ({
      ...plain,
      ...{ path, deprecated: null },
      ...own,
    })),
  }
}

/** Returns fields below a path, each with its part, for tests. */
export function partsAt(path: string, parts: Readonly<Record<string, Own['part']>>) {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part = null]) => [
      path === '' ? name : `${path}.${name}`,
      { part },
    ]),
  )
}
