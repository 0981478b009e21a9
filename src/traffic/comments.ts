import type { MobilityEvent, Texts } from '../timeseries/index.ts'
import { isHighSurrogate, maxTextLength, toXmlCharacters } from '../datex/index.ts'

/**
 * A DATEX II Comment. Its `comment` is a MultilingualString, in which `''` is the key for no
 * language.
 */
export type Comment = {
  readonly comment: Texts
  readonly commentDateTime: Date
  readonly commentType: 'description' | 'locationDescriptor'
}

/** Separator between a title and its text: a full stop, or only the space of the public system. */
export type TitleEnd = '. ' | ' '

/**
 * Returns all texts of an event in every language (decision D55): title and text as one
 * description, then its description and location description if they add anything.
 */
export function toComments(event: MobilityEvent, titleEnd: TitleEnd): readonly Comment[] {
  const spoken = joinTitles(event, titleEnd)
  const said = [...Object.values(spoken), ...Object.values(joinTitles(event, ' '))]
  const addition = (text: string | null) => {
    const words = toXmlCharacters(text ?? '').trim()
    return isSaying(words) && !said.some((known) => known.includes(words)) ? [words] : []
  }
  const silent = said.length === 0
  const [description] = [
    ...addition(event.description),
    ...(silent ? [...addition(event.category), ...addition(event.name)] : []),
  ]
  return [
    ...toPages(spoken, 'description', event),
    ...(description === undefined ? [] : toPages({ '': description }, 'description', event)),
    ...addition(event.locationDescription).flatMap((words) =>
      toPages({ '': words }, 'locationDescriptor', event),
    ),
  ]
}

/**
 * Joins title and text per language. Languages are in alphabetical order, so that every node writes
 * the same document.
 */
function joinTitles({ title, text }: MobilityEvent, titleEnd: TitleEnd): Texts {
  const languages = [...new Set([...Object.keys(title), ...Object.keys(text)])].sort()
  const spoken = languages.map((language) => {
    const [head, body] = [title[language] ?? '', text[language] ?? '']
    const end = endsOpen.test(head) && isSaying(body) ? titleEnd : ' '
    return [language, toXmlCharacters(`${head}${end}${body}`).trim()] as const
  })
  return Object.fromEntries(spoken.filter(([, words]) => words !== ''))
}

/** Matches a title that does not end with punctuation. */
const endsOpen = /[\p{L}\p{N})\]"'»”%°]$/u

/**
 * Reports whether a text has letters or digits. Only these count, because upstream joins empty
 * texts by ` | `.
 */
function isSaying(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/**
 * Makes comments of the first pieces of all languages, then of the second ones, and so on: a
 * comment has each language once.
 */
function toPages(
  texts: Texts,
  commentType: Comment['commentType'],
  { recorded }: MobilityEvent,
): readonly Comment[] {
  const pieces = Object.entries(texts).map(([language, text]) => [language, split(text)] as const)
  const count = Math.max(0, ...pieces.map(([, parts]) => parts.length))
  return Array.from({ length: count }, (_, page) => ({
    comment: Object.fromEntries(
      pieces.flatMap(([language, { [page]: part }]) =>
        part === undefined ? [] : [[language, part]],
      ),
    ),
    commentDateTime: recorded,
    commentType,
  }))
}

/**
 * Cuts a text into pieces that the schema allows. Joined, they are the text again. A piece ends
 * with a sentence, or else with a word, or else anywhere but between the halves of a surrogate
 * pair.
 */
export function split(text: string): readonly string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > maxTextLength) {
    const end = cutAt(rest.slice(0, maxTextLength))
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...pieces, rest]
}

function cutAt(head: string): number {
  const sentence = /^[^]*(?:[.!?]\s|\n)/.exec(head)?.[0].length ?? 0
  const word = /^[^]*\s/.exec(head)?.[0].length ?? 0
  const enough = maxTextLength / 2
  if (sentence > enough) return sentence
  if (word > enough) return word
  return isHighSurrogate(head, head.length - 1) ? head.length - 1 : head.length
}
