/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns a value if it is an object, or else an empty object. Records are parsed defensively,
 * because any field may hold any value.
 */
export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns a trimmed, non-empty text, or a number as text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Returns a finite number, also from a text. */
export function numberOf(value: unknown): number | undefined {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}

/** Returns an HTTP or HTTPS URL; undefined for anything else. */
export function addressOf(value: unknown): string | undefined {
  const text = textOf(value)
  const isAddress = text !== undefined && /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
  return isAddress ? text : undefined
}

/** Texts by language, without empty ones. */
export type ByLanguage = Readonly<Record<string, string>>

export function textsByLanguage(value: unknown): ByLanguage {
  return Object.fromEntries(
    Object.entries(membersOf(value)).flatMap(([language, text]) => {
      const said = textOf(text)
      return said === undefined ? [] : [[language, said]]
    }),
  )
}

/** A text with its language, if known. */
export type Said = { readonly text: string; readonly language?: string }

/** Fallback languages, in this order. */
const others = ['en', 'de', 'it']

/** Returns the value in a language, or else in the first available fallback. */
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

/** Sorts languages: those of the page first, then the others by code. */
export function sortLanguages(found: Iterable<string>): readonly string[] {
  const first = ['de', 'it', 'en']
  const order = (one: string) => (first.includes(one) ? first.indexOf(one) : first.length)
  return [...new Set(found)].toSorted((a, b) => order(a) - order(b) || a.localeCompare(b))
}

/** Removes duplicates by key. */
export function eachOnce<One>(all: readonly One[], keyOf: (one: One) => string): readonly One[] {
  const seen = new Set<string>()
  return all.filter((one) => !seen.has(keyOf(one)) && seen.add(keyOf(one)))
}
