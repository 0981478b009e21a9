import { languages } from '../representation/index.ts'

const codes = new Set<string>(languages)

/**
 * The languages in which a record says something: those whose entry in any member keyed by language
 * holds a text (reference content.md 3.4). Sorted, so that equal records have equal lists.
 */
export function hasLanguage(record: Readonly<Record<string, unknown>>): readonly string[] {
  const found = new Set<string>()
  for (const member of Object.values(record)) {
    if (!isKeyedByLanguage(member)) continue
    for (const [language, entry] of Object.entries(member)) {
      if (saysSomething(entry)) found.add(language)
    }
  }
  return [...found].sort()
}

function isKeyedByLanguage(member: unknown): member is object {
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return false
  const names = Object.keys(member)
  return names.length > 0 && names.every((name) => codes.has(name))
}

/** `Language` only repeats the key, so an entry with nothing else says nothing. */
function saysSomething(entry: unknown): boolean {
  if (typeof entry === 'string') return entry.trim() !== ''
  if (typeof entry !== 'object' || entry === null) return false
  return Object.entries(entry).some(
    ([name, value]) => name !== 'Language' && typeof value === 'string' && value.trim() !== '',
  )
}
