import { paragraphsOf } from '../../../../src/lang/paragraphs-of.ts'
import type { Member } from '../../api/index.ts'
import { eachOnce, membersOf, sayIn, sortLanguages, textOf, textsByLanguage } from './json.ts'
import type { ByLanguage, Members, Said } from './json.ts'
import { rootOf, textsOf } from './structures.ts'
import type { Described, Description } from './structures.ts'

/** A text of a record in several languages. */
type Text = {
  /** Path without the language: `Detail.Title`. */
  readonly path: string
  readonly byLanguage: ByLanguage
  readonly role: Member['role']
}

/** Order of the texts: titles, introductions, then descriptions. */
const roles: readonly Member['role'][] = ['title', 'introduction', 'text']

/** Matches fields of the record itself, but not those in its lists. */
const own = /^\w+(\.\{language\}(\.\w+)?)?$/

/** Returns the texts of a record in reading order, without duplicates. */
export function readTexts(of: Described): readonly Text[] {
  const language = rootOf(of, '').text('language')
  const found = of.members.flatMap((one) => {
    const byLanguage = isText(one) ? textAt(of.record, one.path, language) : {}
    const path = one.path.replace('.{language}', '')
    return Object.keys(byLanguage).length === 0 ? [] : [{ path, byLanguage, role: one.role }]
  })
  const rankOf = ({ role }: Text) => (roles.includes(role) ? roles.indexOf(role) : roles.length)
  return eachOnce(found, ({ byLanguage }) =>
    JSON.stringify(Object.entries(byLanguage).toSorted()),
  ).toSorted((one, other) => rankOf(one) - rankOf(other))
}

function isText({ path, type, role, label }: Description): boolean {
  if (!own.test(path) || type !== 'text') return false
  return roles.includes(role) || (label !== null && path.includes('{language}'))
}

/** Returns the languages that a record has texts in, or states to have. */
export function languagesOf(of: Described, texts: readonly Text[]): readonly string[] {
  const said = textsOf(of, 'language')
  return sortLanguages([...said, ...texts.flatMap(({ byLanguage }) => Object.keys(byLanguage))])
}

/**
 * Returns a text by language. Plain texts, such as weather reports, are in the record's own
 * language; those of fewer than three words are names rather than texts.
 */
function textAt(record: Members, path: string, language: string | undefined): ByLanguage {
  const [name = '', inLanguages, part] = path.split('.')
  const value = record[name]
  if (inLanguages !== undefined)
    return textsByLanguage(part === undefined ? value : pluck(value, part))
  const isReport = typeof value === 'string' && /\S+\s+\S+\s+\S+/.test(value)
  return isReport && language !== undefined ? { [language]: value } : {}
}

/** Returns one field of the object of each language. */
function pluck(value: unknown, name: string): Members {
  return Object.fromEntries(
    Object.entries(membersOf(value)).map(([language, one]) => [language, membersOf(one)[name]]),
  )
}

/** Maximum length of a description; search engines show no more. */
const mostShown = 300

/** Returns the first introduction or text of a record, shortened to a description. */
export function summaryOf(of: Described, language: string): string | undefined {
  const text = readTexts(of).find(({ role }) => role === 'introduction' || role === 'text')
  const said = textOf(sayIn(text?.byLanguage ?? {}, language)?.said)
  return said === undefined ? undefined : paragraphsOf(said).join(' ').slice(0, mostShown)
}

/**
 * Returns the title of a record: the first of some fields that has a value, if possible in the
 * given language, or else its id.
 */
export function titleOf(record: Members, fields: readonly string[], language: string): Said {
  const said = fields.map((field) => titleIn(record, field, language))
  const id = record['Id'] ?? record['id']
  const otherwise = { text: textOf(record['Shortname']) ?? textOf(id) ?? '…' }
  return said.find((one) => one !== undefined) ?? otherwise
}

function titleIn(record: Members, field: string, language: string): Said | undefined {
  const [name = '', , part] = field.split('.')
  const value = record[name]
  const text = textOf(value)
  const own = textOf(record['Language'])
  if (text !== undefined) return own === undefined ? { text } : { text, language: own }
  const found = sayIn(textsByLanguage(part === undefined ? value : pluck(value, part)), language)
  const said = textOf(found?.said)
  return said === undefined || found === undefined
    ? undefined
    : { text: said, language: found.language }
}
