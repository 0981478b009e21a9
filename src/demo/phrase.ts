import type { Texts } from './canonical.ts'
import type { Random } from './random.ts'

/** The languages of every record, and the languages that only some records have. */
export const mainLanguages = ['de', 'it', 'en'] as const
export const moreLanguages = ['nl', 'cs', 'pl', 'fr', 'ru'] as const

export type Language = (typeof mainLanguages)[number] | (typeof moreLanguages)[number]

/** A sentence or name in several languages. `{slot}` is replaced by a value. */
export type Phrase = { readonly de: string; readonly it: string; readonly en: string } & {
  readonly [language in (typeof moreLanguages)[number]]?: string
}

/** A sentence in all eight languages. */
export type WidePhrase = Readonly<Record<Language, string>>

/** Values of slots: the same in every language, or one per language (English if one is missing). */
export type Slots = Readonly<Record<string, string | number | Texts>>

/** Fills the slots of a phrase, in all languages that it has. */
export function fill(phrase: Phrase, slots: Slots = {}): Texts {
  return perLanguage(phrase, (language, text) => fillIn(text, slots, language))
}

function fillIn(text: string, slots: Slots, language: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, slot: string) => slotIn(slots, slot, language))
}

function slotIn(slots: Slots, slot: string, language: string): string {
  const value = slots[slot]
  if (value === undefined) throw new RangeError(`Nothing fills {${slot}}.`)
  if (typeof value === 'object') return value[language] ?? value['en'] ?? ''
  return String(value)
}

/**
 * Picks one phrase from each list, fills them and joins them to a text. All languages use the same
 * choice.
 */
export function compose(
  random: Random,
  lists: readonly (readonly Phrase[])[],
  slots: Slots = {},
): Texts {
  const parts = lists.map((phrases) => fill(random.pick(phrases), slots))
  const join = (language: string) => parts.map((part) => part[language] ?? '').join(' ')
  return Object.fromEntries(mainLanguages.map((language) => [language, join(language)]))
}

/** Creates a field keyed by language from texts keyed by language. */
export function perLanguage<Entry>(
  texts: Texts,
  toEntry: (language: string, text: string) => Entry,
): Readonly<Record<string, Entry>> {
  return Object.fromEntries(
    Object.entries(texts).map(([language, text]) => [language, toEntry(language, text)]),
  )
}

/**
 * Returns the name of a place in each language. Languages other than German and Italian use both
 * names.
 */
export function placeTexts({ de, it }: { readonly de: string; readonly it: string }): Texts {
  const both = de === it ? de : `${de}/${it}`
  const elsewhere = Object.fromEntries(moreLanguages.map((language) => [language, both]))
  return { de, it, en: both, ...elsewhere }
}
