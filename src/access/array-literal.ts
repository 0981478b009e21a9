type Values = readonly (string | number | null)[]

/**
 * A PostgreSQL array as text (documentation of PostgreSQL, section 8.15.2), to be bound as a value. The
 * driver would write the same, but anew for every request; a thousand rules are written once.
 */
export function arrayLiteral(values: Values): string {
  const known = written.get(values)
  if (known !== undefined) return known
  const literal = `{${values.map(toElement).join(',')}}`
  written.set(values, literal)
  return literal
}

const written = new WeakMap<Values, string>()

function toElement(value: string | number | null): string {
  if (value === null) return 'null'
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`
}
