import type { Texts } from './canonical.ts'
import type { Random } from './random.ts'

/** The languages in which every record speaks, and those in which some do. */
export const mainLanguages = ['de', 'it', 'en'] as const
export const moreLanguages = ['nl', 'cs', 'pl', 'fr', 'ru'] as const

export type Language = (typeof mainLanguages)[number] | (typeof moreLanguages)[number]

/** One sentence or name in several languages. `{slot}` stands for what is filled in. */
export type Phrase = { readonly de: string; readonly it: string; readonly en: string } & {
  readonly [language in (typeof moreLanguages)[number]]?: string
}

/** A sentence in all eight languages. */
export type WidePhrase = Readonly<Record<Language, string>>

/** What fills a slot: the same in every language, or per language (English where one is missing). */
export type Slots = Readonly<Record<string, string | number | Texts>>

/** A phrase with its slots filled, in the languages that it has. */
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

/** One phrase of each list, filled and joined to a text: the same choice in every language. */
export function compose(
  random: Random,
  lists: readonly (readonly Phrase[])[],
  slots: Slots = {},
): Texts {
  const parts = lists.map((phrases) => fill(random.pick(phrases), slots))
  const join = (language: string) => parts.map((part) => part[language] ?? '').join(' ')
  return Object.fromEntries(mainLanguages.map((language) => [language, join(language)]))
}

/** A field keyed by language, made from texts that are keyed by language. */
export function perLanguage<Entry>(
  texts: Texts,
  toEntry: (language: string, text: string) => Entry,
): Readonly<Record<string, Entry>> {
  return Object.fromEntries(
    Object.entries(texts).map(([language, text]) => [language, toEntry(language, text)]),
  )
}

/** The name of a place as each language writes it; languages of elsewhere give both. */
export function placeTexts({ de, it }: { readonly de: string; readonly it: string }): Texts {
  const both = de === it ? de : `${de}/${it}`
  const elsewhere = Object.fromEntries(moreLanguages.map((language) => [language, both]))
  return { de, it, en: both, ...elsewhere }
}
