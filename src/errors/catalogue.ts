import catalogue from './catalogue.json' with { type: 'json' }

/**
 * Every error that a caller can receive, once: status, title, and the explanation on the page of
 * its `type` (decision D1): what happened and what to do. Codes are grouped by phase and never
 * reused: HUB-SRV-005 was "no source of free rooms".
 */
export { catalogue }

export type ErrorCode = keyof typeof catalogue

/** Fault descriptions by pattern, for texts that do not match it. */
const sentences = new Map<string, string>()

/**
 * Returns the pattern of a schema and registers the fault to report if a text does not match it,
 * because nobody reads a regular expression.
 * @param fault such as `is not a day; write it like 2026-11-20`
 */
export function form(pattern: string, fault: string): { readonly pattern: string } {
  sentences.set(pattern, fault)
  return { pattern }
}

export const dayForm = form(
  String.raw`^\d{4}-\d{2}-\d{2}$`,
  'is not a valid day; write it like 2026-11-20',
)

/** Returns the description of the fault if a text does not match a pattern. */
export function sentenceOf(pattern: string): string {
  return sentences.get(pattern) ?? `does not match the pattern ${pattern}`
}
