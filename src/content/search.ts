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
 * A text as titles are stored for search: no accents, lower case, blanks run together. The database
 * folds titles by the function `content_titles` (migrations/0007-filters.sql) in the same way.
 */
export function foldText(text: string): string {
  const plain = Array.from(
    text.normalize('NFKD').replace(marks, ''),
    (letter) => letters.get(letter) ?? letter,
  ).join('')
  const lower = plain.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return lower.replace(/[\x01-\x20]+/g, ' ').replace(/^ | $/g, '')
}

/** The same with ae, oe and ue as a, o and u, so that "groesse" and "grosse" are one word. */
export function foldDigraphs(folded: string): string {
  return folded.replace(/([aou])e/g, '$1')
}

/**
 * The conditions that a title holds a text, or that the record is one of these, or begins with one of three or
 * more characters. Titles are stored twice
 * where it matters: as written, and with ae, oe and ue folded; so what is searched for may be any part
 * of a title in either form. Both conditions together are the answer; the second follows from the
 * first and is there for an index to serve, which the planner then never asks again row by row.
 * @param folded what `foldText` gave, not empty
 * @param languages only titles in these, and titles of no language; none: all titles
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

/** As a range, which the index of the primary key serves: identifiers are collated by code points. */
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

/** Whether the trigram index can help: it knows words only, and those from three letters on. */
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

/** A line of one of the languages with the text in it; `(?n)` keeps the match within the line. */
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
    const folded = foldText(written.replace(/[\p{Co}\p{Cs}]/gu, ' '))
    if (folded === '') {
      const expected = ['a part of a title, or an identifier']
      const detail = 'has no letter or sign to search for'
      throw rejected({ parameter: 'searchfilter', detail, expected })
    }
    const id = written.trim()
    const ids = [...new Set([id, id.toLowerCase(), id.toUpperCase()])]
    const condition = searchCondition(folded, { languages: languagesOf(scope), ids })
    return { text: written.trim(), condition }
  },
})

/** Only the language that is shown, else only those that are filtered by. */
function languagesOf({ query }: Scope): readonly string[] {
  const { language, langfilter } = query
  if (typeof language === 'string') return [language]
  if (!Array.isArray(langfilter)) return []
  return langfilter.flatMap((item) =>
    typeof item === 'string' && /^[a-z]{2,3}$/i.test(item.trim()) ? [item.trim()] : [],
  )
}
