import { isDeepStrictEqual } from 'node:util'

/** The members that are not as they were sent, one text for each; what was not sent is not examined. */
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
