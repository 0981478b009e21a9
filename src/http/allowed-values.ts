import type { TSchema } from 'typebox'

/** What a parameter takes, in words, for errors that do not know better (decision D1). */
export function allowedValues(schema: TSchema): readonly string[] {
  const range = rangeOf(schema)
  if (range !== undefined) return [range]
  return 'description' in schema && typeof schema.description === 'string'
    ? [schema.description]
    : []
}

/** `1 to 1000` of a number, where it has bounds. */
function rangeOf(schema: TSchema): string | undefined {
  const bound = (name: 'minimum' | 'maximum') => {
    const value: unknown = name in schema ? Reflect.get(schema, name) : undefined
    return typeof value === 'number' ? String(value) : undefined
  }
  const [least, most] = [bound('minimum'), bound('maximum')]
  if (least === undefined || most === undefined) return undefined
  return `${least} to ${most}`
}
