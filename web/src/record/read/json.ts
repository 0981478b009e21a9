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

/** An address of the web, and nothing else. */
export function addressOf(value: unknown): string | undefined {
  const text = textOf(value)
  const isAddress = text !== undefined && /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
  return isAddress ? text : undefined
}

/** Texts by language, those that say nothing left out. */
export type ByLanguage = Readonly<Record<string, string>>

export function textsByLanguage(value: unknown): ByLanguage {
  return Object.fromEntries(
    Object.entries(membersOf(value)).flatMap(([language, text]) => {
      const said = textOf(text)
      return said === undefined ? [] : [[language, said]]
    }),
  )
}

/** A text, and the language it is in where that is known. */
export type Said = { readonly text: string; readonly language?: string }

/** The languages that stand in for one that is missing, in this order. */
const others = ['en', 'de', 'it']

/** What is said in a language, else in the one that most will read. */
export function sayIn(
  byLanguage: unknown,
  language: string,
): { readonly said: unknown; readonly language: string } | undefined {
  const all = membersOf(byLanguage)
  const found = [language, ...others, ...Object.keys(all)].find(
    (one) => isMembers(all[one]) || Array.isArray(all[one]) || textOf(all[one]) !== undefined,
  )
  return found === undefined ? undefined : { said: all[found], language: found }
}

/** The languages of the page first, the others by their code. */
export function sortLanguages(found: Iterable<string>): readonly string[] {
  const first = ['de', 'it', 'en']
  const order = (one: string) => (first.includes(one) ? first.indexOf(one) : first.length)
  return [...new Set(found)].toSorted((a, b) => order(a) - order(b) || a.localeCompare(b))
}

/** Each once, by what tells them apart. */
export function eachOnce<One>(all: readonly One[], keyOf: (one: One) => string): readonly One[] {
  const seen = new Set<string>()
  return all.filter((one) => !seen.has(keyOf(one)) && seen.add(keyOf(one)))
}
