import { all, any, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { foldDigraphs } from './fold-text.ts'

/**
 * The conditions that a title holds a text, or that the record is one of these, or begins with one of three or
 * more characters. Titles are stored twice
 * where it matters: as written, and with ae, oe and ue folded; so what is looked for may be any part
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
