import type { Described, Description } from './structures.ts'

type Own = Partial<Description>

/** A record with what a hub would say of its fields, for tests. */
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

/** Fields below a path, each with its part. */
export function partsAt(path: string, parts: Readonly<Record<string, Own['part']>>) {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part = null]) => [
      path === '' ? name : `${path}.${name}`,
      { part },
    ]),
  )
}
