/** Values of JSON, read without trust: a value of another type counts as missing. */

export type Members = Readonly<Record<string, unknown>>

/** A list is none. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Members {
  return isObject(value) ? value : {}
}

/** The fields of the object that is written there. */
export function parseObject(text: string): Members {
  return fieldsOf(JSON.parse(text))
}

/** An object with each of its fields changed. */
export function mapFields(members: Members, map: (value: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]))
}

/** The objects of a list; none of anything else. */
export function objectsOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((item) => textOf(item) ?? []) : []
}

/** A text that is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** A number, also one that is written as a text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The JSON pointer of a field or an item (RFC 6901 section 3). */
export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The names in a JSON pointer. */
export function namesIn(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

type Fault = { readonly pointer: string; readonly reason: string }

/** Deeper than any record of this field, and shallow enough for every parser on the way. */
const deepest = 100
const nestedTooDeep = `is nested deeper than ${String(deepest)} levels`

/**
 * The first value inside `value` that JSON can write but the store could not give back unchanged:
 * the NUL character, half a surrogate pair, a number beyond double precision's range, endless depth.
 * Every record that is written comes through here, so a pointer is written only where it is needed.
 */
export function findUnstorable(value: unknown, pointer: string): Fault | undefined {
  if (isParent(value)) return firstFault(value, pointer, 1)
  const reason = reasonAgainst(value)
  return reason === undefined ? undefined : { pointer, reason }
}

/** @param depth of the fields */
function firstFault(parent: object, pointer: string, depth: number): Fault | undefined {
  const isList = Array.isArray(parent)
  const fields: Iterable<readonly [number | string, unknown]> = isList
    ? parent.entries()
    : Object.entries(parent)
  for (const [name, field] of fields) {
    const reason = reasonAgainst(name) ?? (depth > deepest ? nestedTooDeep : reasonAgainst(field))
    if (reason !== undefined) return { pointer: pointerTo(pointer, name), reason }
    if (!isParent(field)) continue
    const fault = firstFault(field, pointerTo(pointer, name), depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function reasonAgainst(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is a number out of range'
  if (typeof value !== 'string') return undefined
  if (value.includes('\u0000')) return 'contains the NUL character'
  return value.isWellFormed() ? undefined : 'holds half a surrogate pair'
}

/**
 * An object without the fields at some paths, such as `EventDate.GpsEast`; a path goes through arrays.
 */
export function withoutFields(object: object, paths: readonly string[]): Members {
  const kept = Object.entries(object).filter(([name]) => !paths.includes(name))
  return Object.fromEntries(
    kept.map(([name, value]) => [name, withoutBelow(value, pathsBelow(paths, name))]),
  )
}

function withoutBelow(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withoutBelow(item, paths))
  return withoutFields(value, paths)
}

function pathsBelow(paths: readonly string[], name: string): readonly string[] {
  const prefix = `${name}.`
  return paths.flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []))
}
