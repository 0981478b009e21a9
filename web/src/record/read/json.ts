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

const codes = new Set(
  'de it en fr nl cs pl ru es pt sl hr hu ro sk sv da fi uk zh ja ar ld lld rm'.split(' '),
)

/** Whether each member is a language: `{ "de": …, "it": … }`. */
export function isByLanguage(value: unknown): value is Members {
  if (!isMembers(value)) return false
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => codes.has(key))
}

/** Texts by language, those that say nothing left out. */
export type ByLanguage = Readonly<Record<string, string>>

export function textsByLanguage(value: unknown): ByLanguage {
  if (!isByLanguage(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([language, text]) => {
      const said = textOf(text)
      return said === undefined ? [] : [[language, said]]
    }),
  )
}

/** A text, and the language it is in where that is known. */
export type Said = { readonly text: string; readonly language?: string }

/** The languages that stand in for one that is missing, in this order. */
const others = ['en', 'de', 'it']

/** The text in a language, else in the one that most will read. */
export function sayIn(texts: ByLanguage, language: string): Said | undefined {
  const found = [language, ...others, ...Object.keys(texts)].find((one) => texts[one] !== undefined)
  const text = found === undefined ? undefined : texts[found]
  return text === undefined || found === undefined ? undefined : { text, language: found }
}

/** The value in a language, else in another. */
export function pickLanguage(value: unknown, language: string): Members | undefined {
  if (!isByLanguage(value)) return undefined
  const found = [language, ...others, ...Object.keys(value)].find((one) => isMembers(value[one]))
  const picked = found === undefined ? undefined : value[found]
  return isMembers(picked) ? picked : undefined
}

/** The languages of the page first, the others by their code. */
export function sortLanguages(found: Iterable<string>): readonly string[] {
  const first = ['de', 'it', 'en']
  const order = (one: string) => (first.includes(one) ? first.indexOf(one) : first.length)
  return [...new Set(found)].toSorted((a, b) => order(a) - order(b) || a.localeCompare(b))
}
