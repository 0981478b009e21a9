import type { PlacedObject } from './mapper.ts'

/** Longer names and more members are not watched. */
const mostMembers = 300
const longestName = 200

/**
 * The members of canonical objects that have a value in some item, as `stations Parking metadata.capacity`; of
 * measurements the data types.
 */
export function membersOf(objects: readonly PlacedObject[]): readonly string[] {
  const found = new Set<string>()
  for (const { value } of objects) {
    const { kind, stationType, edgeType, entity, items } = toObject(value)
    if (!Array.isArray(items)) continue
    const about = [kind, stationType ?? edgeType ?? entity].filter((one) => typeof one === 'string')
    for (const item of items) {
      for (const name of namesIn(item)) found.add([...about, name].join(' '))
      if (found.size > mostMembers) return []
    }
  }
  return [...found].filter((name) => name.length <= longestName)
}

function namesIn(item: unknown): readonly string[] {
  if (Array.isArray(item)) return typeof item[1] === 'string' ? [item[1]] : []
  const { metadata, ...members } = toObject(item)
  return [...withValue(members), ...withValue(toObject(metadata)).map((name) => `metadata.${name}`)]
}

function withValue(members: object): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [name],
  )
}

function toObject(value: unknown): Readonly<Partial<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
