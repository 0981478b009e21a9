/** Where in a value, as a JSON pointer, and why. */
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

/** @param depth of the members */
function firstFault(parent: object, pointer: string, depth: number): Fault | undefined {
  const isList = Array.isArray(parent)
  const members: Iterable<readonly [number | string, unknown]> = isList
    ? parent.entries()
    : Object.entries(parent)
  for (const [name, member] of members) {
    const reason = reasonAgainst(name) ?? (depth > deepest ? nestedTooDeep : reasonAgainst(member))
    if (reason !== undefined) return { pointer: below(pointer, name), reason }
    if (!isParent(member)) continue
    const fault = firstFault(member, below(pointer, name), depth + 1)
    if (fault !== undefined) return fault
  }
  return undefined
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** A pointer of RFC 6901. */
function below(pointer: string, name: number | string): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Why a value cannot be stored, whatever it may hold. */
function reasonAgainst(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'is a number out of range'
  if (typeof value !== 'string') return undefined
  if (value.includes('\u0000')) return 'holds the NUL character'
  return value.isWellFormed() ? undefined : 'holds half a surrogate pair'
}
