import { all, any, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { foldDigraphs } from './fold-text.ts'

/**
 * The condition that a title holds a text. Titles are stored twice where it matters: as written, and
 * with ae, oe and ue folded; so what is looked for may be any part of a title in either form.
 * @param folded what `foldText` gave, not empty
 * @param languages only titles in these, and titles of no language; none: all titles
 */
export function searchCondition(folded: string, languages: readonly string[]): Sql {
  const forms = [...new Set([folded, foldDigraphs(folded)])]
  return any(forms.map((form) => holds(form, languages)))
}

function holds(form: string, languages: readonly string[]): Sql {
  const pattern = `%${form.replace(/[\\%_]/g, String.raw`\$&`)}%`
  return all([
    sql`titles like ${pattern}`,
    ...(hasTrigram(form) ? [] : [sql`content_pairs(titles) @> ${toPairs(form)}::text[]`]),
    ...(languages.length === 0 ? [] : [sql`titles ~ ${linePattern(form, languages)}`]),
  ])
}

/** Whether the trigram index can help: it knows words only, and those from three letters on. */
function hasTrigram(form: string): boolean {
  return /[a-z0-9]{3}/.test(form)
}

function toPairs(form: string): readonly string[] {
  const letters = [...form]
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
