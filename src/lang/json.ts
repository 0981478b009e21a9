/** Readers of untrusted JSON values: a value of another type counts as missing. */

export type Members = Readonly<Record<string, unknown>>

/** Reports whether a value is an object; a list is not. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the fields of an object; of any other value none. */
export function fieldsOf(value: unknown): Members {
  return isObject(value) ? value : {}
}

/** Parses JSON and returns the fields of the object; of any other value none. */
export function parseObject(text: string): Members {
  return fieldsOf(JSON.parse(text))
}

/** Returns an object with each field's value mapped. */
export function mapFields(members: Members, map: (value: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]))
}

/** Returns the objects of a list, without its other items; of any other value none. */
export function objectsOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((item) => textOf(item) ?? []) : []
}

/** Returns a trimmed text, or undefined for one of spaces only or another value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Returns a number, including one written as a text, also with a decimal comma (decision D66). */
export function numberOf(value: unknown): number | undefined {
  const text = textOf(value)
  const number = text === undefined ? value : Number(text.replace(/^([-+]?\d+),(\d+)$/, '$1.$2'))
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Returns the JSON pointer of a field or an item (RFC 6901 section 3). */
export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Returns the names in a JSON pointer. */
export function namesIn(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

type Fault = { readonly pointer: string; readonly reason: string }

/** Limit on nesting: deeper than any real record, and shallow enough for every parser involved. */
const maxDepth = 100
const nestedTooDeep = `is nested deeper than ${String(maxDepth)} levels`

/**
 * Finds the first value inside `value` that JSON can express but the store could not return
 * unchanged: the NUL character, half a surrogate pair, a number beyond the range of double
 * precision, or too deep nesting. Every written record is checked by this, so a pointer is built
 * only if it is needed.
 */
export function findUnstorable(value: unknown, pointer: string): Fault | undefined {
  if (isParent(value)) return firstFault(value, pointer, 1)
  const reason = reasonAgainst(value)
  return reason === undefined ? undefined : { pointer, reason }
}

/** Finds the first such value below `parent`. @param depth of its fields */
function firstFault(parent: object, pointer: string, depth: number): Fault | undefined {
  const isList = Array.isArray(parent)
  const fields: Iterable<readonly [number | string, unknown]> = isList
    ? parent.entries()
    : Object.entries(parent)
  for (const [name, field] of fields) {
    const reason = reasonAgainst(name) ?? (depth > maxDepth ? nestedTooDeep : reasonAgainst(field))
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
 * Returns an object without the fields at some paths, such as `EventDate.GpsEast`. Paths go through
 * arrays.
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
