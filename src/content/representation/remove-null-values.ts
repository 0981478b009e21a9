/**
 * Removes members that say nothing: null, and empty texts, arrays and objects, from the inside out,
 * so that an object which becomes empty goes too (decision D24). Elements of arrays stay in place.
 */
export function removeNullValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeNullValues)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, removeNullValues(member)])
      .filter(([, member]) => !saysNothing(member)),
  )
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
