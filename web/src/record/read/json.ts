/** The members of an object of JSON. */
export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Its members; of anything but an object none. Records are read as if anything could be odd in them. */
export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text that says something, or a number as text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** A finite number, also where it is written as a text. */
export function numberOf(value: unknown): number | undefined {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}

/** What is at a way into a record, such as `['LicenseInfo', 'License']`. */
export function valueAt(record: unknown, way: readonly string[]): unknown {
  return way.reduce<unknown>((value, name) => membersOf(value)[name], record)
}
