import { isDeepStrictEqual } from 'node:util'

/**
 * Describes the fields that differ from what was sent, one text per field. Fields that were not
 * sent are ignored.
 */
export function compare(what: string, sent: object, found: object | undefined): readonly string[] {
  if (found === undefined) return [`${what} is missing`]
  const known = new Map(Object.entries(found))
  return Object.entries(sent).flatMap(([name, value]) => {
    if (value === undefined || isDeepStrictEqual(known.get(name), value)) return []
    return [`${what}, ${name}: ${print(known.get(name))} for ${print(value)}`]
  })
}

function print(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200)
}
