import { Type } from 'typebox'
import { all, any, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { filter } from './entity.ts'
import type { Filter, Scope } from './entity.ts'
import { rejected } from './filters/values.ts'

const marks = /[\u0300-\u036f]/g
const letters = new Map([
  ['ß', 'ss'],
  ['ẞ', 'ss'],
  ['æ', 'ae'],
  ['Æ', 'ae'],
  ['œ', 'oe'],
  ['Œ', 'oe'],
])
const capitals = 'øØłŁđĐıАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ'
const smalls = 'oollddiабвгдежзиклмнопрстуфхцчшщъыьэюя'

Array.from(capitals).forEach((capital, index) => {
  letters.set(capital, smalls.charAt(index))
})

/**
 * Folds a text like titles are stored for search: without accents, in lower case, with runs of
 * whitespace as one space. The database folds titles in the same way, by the function
 * `content_titles` (migrations/0011-content-columns.sql).
 */
export function foldText(text: string): string {
  const plain = Array.from(
    text.normalize('NFKD').replace(marks, ''),
    (letter) => letters.get(letter) ?? letter,
  ).join('')
  const lower = plain.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return lower.replace(/[\x01-\x20]+/g, ' ').replace(/^ | $/g, '')
}

/**
 * Folds the text of a search.
 * @throws AppError HUB-QRY-001 for a text of which nothing is left, because it would match everything
 */
export function toFolded(parameter: string, written: string): string {
  const folded = foldText(written.replace(/[\p{Co}\p{Cs}]/gu, ' '))
  if (folded !== '') return folded
  const expected = ['a part of a title, or an identifier']
  throw rejected({ parameter, detail: 'has no letter or sign to search for', expected })
}

/**
 * Replaces ae, oe and ue in a folded text by a, o and u, so that "groesse" and "grosse" are equal.
 */
export function foldDigraphs(folded: string): string {
  return folded.replace(/([aou])e/g, '$1')
}

/**
 * Returns the condition that a title contains a text, or that an identifier equals one of `ids` or
 * starts with one that has three or more characters.
 *
 * Titles that contain ae, oe or ue are stored twice, as written and with these folded, so that the
 * text may be any part of a title in either form. For texts that the trigram index cannot find, a
 * second condition is added. It follows from the first and exists for an index only, so that the
 * planner does not evaluate it for each row.
 * @param folded result of `toFolded`
 * @param languages only titles in these languages, and titles without a language; empty for all
 *   titles
 */
export function searchCondition(
  folded: string,
  { languages, ids }: { readonly languages: readonly string[]; readonly ids: readonly string[] },
): Sql {
  const forms = [...new Set([folded, foldDigraphs(folded)])]
  const isOne = any([sql`id = any(${ids}::text[])`, ...ids.flatMap(beginsWith)])
  const exact = any([...forms.map((form) => holds(form, languages)), isOne])
  if (forms.every(hasTrigram)) return exact
  return all([exact, any([...forms.map(mayHold), isOne])])
}

/**
 * Returns the condition that identifiers start with a text, if it has three or more characters. A
 * range, which the index of the primary key serves because identifiers are collated by code point.
 */
function beginsWith(id: string): readonly Sql[] {
  return id.length < 3 ? [] : [sql`(id >= ${id} and id < ${`${id}\u{10ffff}`})`]
}

const isLike = (form: string) => sql`titles like ${`%${form.replace(/[\\%_]/g, String.raw`\$&`)}%`}`

function holds(form: string, languages: readonly string[]): Sql {
  return languages.length === 0
    ? isLike(form)
    : all([isLike(form), sql`titles ~ ${linePattern(form, languages)}`])
}

function mayHold(form: string): Sql {
  return hasTrigram(form) ? isLike(form) : sql`content_pairs(titles) @> ${toPairs(form)}::text[]`
}

/** Reports whether the trigram index can help: it covers only words, of three letters or more. */
function hasTrigram(form: string): boolean {
  return /[a-z0-9]{3}/.test(form)
}

function toPairs(form: string): readonly string[] {
  const letters = Array.from(form)
  const [only = ''] = letters
  return letters.length === 1
    ? [only]
    : letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`)
}

/**
 * Returns the pattern for a line that contains the text and is in one of the languages, or in none.
 * `(?n)` keeps the match within the line.
 */
function linePattern(form: string, languages: readonly string[]): string {
  const escaped = form.replace(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)
  const tongues = languages.map((language) => language.toUpperCase()).join('|')
  return `(?n)^(${tongues})?\t.*${escaped}`
}

/** Text search on titles and identifiers (interface 4.2, reference content.md 3.5). */
export const searchFilter: Filter = filter({
  name: 'searchfilter',
  schema: Type.String({
    maxLength: 500,
    description:
      'Part of a title, in any language or only in that of language or langfilter, or an identifier, whole or its first three or more characters; ignores accents and case',
  }),
  examples: { good: ['Größe', 'a', '%', 'x'.repeat(500)], bad: [' ', '\u0301', 'x'.repeat(501)] },
  read: (written, scope) => {
    const folded = toFolded('searchfilter', written)
    const id = written.trim()
    const ids = [...new Set([id, id.toLowerCase(), id.toUpperCase()])]
    const condition = searchCondition(folded, { languages: languagesOf(scope), ids })
    return { text: written.trim(), condition }
  },
})

/**
 * Returns the languages to search: the one that is shown, otherwise those of `langfilter`; empty
 * for all languages.
 */
function languagesOf({ query }: Scope): readonly string[] {
  const { language, langfilter } = query
  if (typeof language === 'string') return [language]
  if (!Array.isArray(langfilter)) return []
  return langfilter.flatMap((item) =>
    typeof item === 'string' && /^[a-z]{2,3}$/i.test(item.trim()) ? [item.trim()] : [],
  )
}
