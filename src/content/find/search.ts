import { any, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Entity } from '../entity.ts'
import { parseFields } from '../fields/parse-fields.ts'
import type { FieldPath } from '../fields/path.ts'
import { rejected } from '../filters/reject.ts'
import { foldDigraphs, foldText } from '../search/fold-text.ts'
import { searchCondition } from '../search/search-condition.ts'
import type { FindQuery } from './operation.ts'

/** What is looked for, and where beside titles and identifiers. */
export type Search = {
  readonly folded: string
  /** Only texts in this language, and texts of no language; none: all. */
  readonly languages: readonly string[]
  readonly ids: readonly string[]
  /** Members to look through, `*` for the language. */
  readonly members: readonly string[]
}

type Asked = Pick<FindQuery, 'q' | 'language' | 'searchbasetext' | 'filteronfields'>

/** @throws AppError HUB-QRY-001 where there is nothing to look for, or no member to look through */
export function toSearch({ q, language, searchbasetext, filteronfields = [] }: Asked): Search {
  const folded = foldText(q.replace(/[\p{Co}\p{Cs}]/gu, ' '))
  if (folded === '') {
    const expected = ['a part of a title, or an identifier']
    throw rejected({ parameter: 'q', detail: 'has no letter or sign to look for', expected })
  }
  const id = q.trim()
  return {
    folded,
    languages: language === undefined ? [] : [language],
    ids: [...new Set([id, id.toLowerCase(), id.toUpperCase()])],
    members: [
      ...(searchbasetext ? ['Detail.*.BaseText'] : []),
      ...parseFields(filteronfields).map(toMember),
    ],
  }
}

function toMember({ text, steps }: FieldPath): string {
  const names = steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
  const stars = names.filter((name) => name === '*')
  const isPlain = names.length === steps.length && names.every((name) => !name.includes('.'))
  if (isPlain && stars.length <= 1 && names[0] !== '*') return names.join('.')
  throw rejected({
    parameter: 'filteronfields',
    detail: `has ${text}, which leads to no single member`,
    expected: ['Shortname', 'Detail.en.SubHeader', 'Detail.*.SubHeader'],
  })
}

/** The condition of a match. Members that the caller does not see are not looked through. */
export function matches(
  search: Search,
  { entity, reduced }: { readonly entity: Entity; readonly reduced: boolean },
): Sql {
  const { folded, languages, ids } = search
  const inTitles = searchCondition(folded, { languages, ids })
  const members = search.members.filter(
    (member) =>
      !isTitle(member, { entity, languages }) &&
      !(reduced && entity.closedMembers.includes(member.split('.')[0] ?? '')),
  )
  if (members.length === 0) return inTitles
  const pattern = toPattern(search, { before: '.*', after: '' })
  return any([inTitles, sql`content_titles(data, ${members}::text[]) ~ ${pattern}`])
}

/** Whether the index of titles has all that the member may say: to read whole records takes seconds. */
function isTitle(
  member: string,
  { entity, languages }: Pick<Search, 'languages'> & { readonly entity: Entity },
): boolean {
  const ofAnyLanguage = member.replace(/\.[a-z]{2,3}(?=\.|$)/, '.*')
  // A member of a single language is of no language itself, and found whichever is asked for.
  const isWhole = languages.length === 0 && entity.titles.includes(ofAnyLanguage)
  return isWhole || entity.titles.includes(member)
}

/** How good a match is, 0 the best: the whole title or identifier, its begin, the begin of a word, any part. */
export function relevance(search: Search): Sql {
  return sql`case
    when id = any(${search.ids}::text[]) or titles ~ ${toPattern(search, { before: '', after: '$' })} then 0
    when titles ~ ${toPattern(search, { before: '', after: '' })} then 1
    when titles ~ ${toPattern(search, { before: `.*[${betweenWords}]`, after: '' })} then 2
    else 3 end`
}

const betweenWords = ' !"#$%&\'()*+,./:;<=>?@_{|}~`\\-\\[\\]\\\\\\^«»„“”‚‘’–—…·'

/** A line of a title, as `content_titles` writes it; `(?n)` keeps the match within the line. */
function toPattern(
  { folded, languages }: Search,
  around: { readonly before: string; readonly after: string },
): string {
  const forms = [...new Set([folded, foldDigraphs(folded)])].map((form) =>
    form.replace(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`),
  )
  const tongues = languages.map((language) => language.toUpperCase()).join('|')
  const begin = tongues === '' ? '' : `^(${tongues})?`
  return `(?n)${begin}\t${around.before}(${forms.join('|')})${around.after}`
}
