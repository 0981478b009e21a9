import type { Member } from '../../api/index.ts'
import {
  isByLanguage,
  sortLanguages,
  textsByLanguage,
  sayIn,
  isMembers,
  listOf,
  textOf,
} from './json.ts'
import type { ByLanguage, Said, Members } from './json.ts'

/** A text that a record has in several languages. */
type Text = {
  /** Where it is, without the language: `Detail.Title`. */
  readonly path: string
  readonly byLanguage: ByLanguage
}

/** Who can be reached stands on its own; see `contacts.ts`. */
const contacts = /^(ContactInfos|OrganizerInfos)$/
const contactParts =
  /^(Zip(Code)?|City|Street|Address|Region|RegionCode|Area|Country(Code|Name)?|Name(Prefix|Suffix)|(First|Last|Given|Sur)name|E?mail|Phone(number)?|Mobile|Fax(number)?|Website|Url|LogoUrl|Vat|Tax|CompanyName)$/i
/** Names of languages, ids and addresses are not texts. */
const technical = /^(Language|.*(RID|Id|ID|Url|URL|Uri|Code))$/

/** All texts of a record, whatever members they stand in; what says the same as another is left out. */
export function readTexts(record: Members): readonly Text[] {
  const found = Object.entries(record).flatMap(([name, value]) =>
    contacts.test(name) ? [] : [...textsIn(name, value), ...textAlone(record, name, value)],
  )
  const seen = new Set<string>()
  return found.filter(({ byLanguage }) => {
    const key = JSON.stringify(Object.entries(byLanguage).toSorted())
    return !seen.has(key) && seen.add(key)
  })
}

/** The languages that a record has texts in, or says that it has. */
export function languagesOf(record: Members, texts: readonly Text[]): readonly string[] {
  const said = listOf(record['HasLanguage']).flatMap((one) => textOf(one) ?? [])
  return sortLanguages([...said, ...texts.flatMap(({ byLanguage }) => Object.keys(byLanguage))])
}

function textsIn(member: string, value: unknown): readonly Text[] {
  if (!isByLanguage(value)) return []
  const whole = textsByLanguage(value)
  if (Object.keys(whole).length > 0) {
    return technical.test(member) ? [] : [{ path: member, byLanguage: whole }]
  }
  const names = new Set(
    Object.values(value).flatMap((one) => (isMembers(one) ? Object.keys(one) : [])),
  )
  return [...names]
    .filter((name) => !technical.test(name) && !contactParts.test(name))
    .flatMap((name) => {
      const byLanguage = pluck(value, name)
      return Object.keys(byLanguage).length === 0 ? [] : [{ path: `${member}.${name}`, byLanguage }]
    })
}

/** One text of an object for each language. */
function pluck(value: Members, name: string): ByLanguage {
  return Object.fromEntries(
    Object.entries(value).flatMap(([language, one]) => {
      const text = isMembers(one) && typeof one[name] === 'string' ? textOf(one[name]) : undefined
      return text === undefined ? [] : [[language, text]]
    }),
  )
}

/** Reports are in one language, which they name. */
function textAlone(record: Members, name: string, value: unknown): readonly Text[] {
  const language = textOf(record['Language'])
  const isText = typeof value === 'string' && /\S+\s+\S+\s+\S+/.test(value) && !technical.test(name)
  if (language === undefined || !isText || name === 'Shortname') return []
  return [{ path: name, byLanguage: { [language]: value } }]
}

/** A text with its role in the record. */
type Described = Text & { readonly role: Member['role'] }

/** Headings come first, then what introduces, then what tells. */
const roles: readonly Member['role'][] = ['title', 'introduction', 'text']

/** The texts in the order in which they are read, as the hub describes them. */
export function describeTexts(
  texts: readonly Text[],
  members: readonly Member[],
): readonly Described[] {
  const known = new Map(members.map(({ path, role }) => [path.replace('.{language}', ''), role]))
  const rankOf = ({ role }: Described) =>
    roles.includes(role) ? roles.indexOf(role) : roles.length
  return texts
    .map((text) => ({ ...text, role: known.get(text.path) ?? null }))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
}

const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', shy: '', ndash: '–' },
  ...{ mdash: '—', hellip: '…', laquo: '«', raquo: '»', bdquo: '„', ldquo: '“', rdquo: '”' },
  ...{ lsquo: '‘', rsquo: '’', deg: '°', euro: '€', middot: '·', bull: '•', times: '×' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß' },
  ...{ agrave: 'à', egrave: 'è', eacute: 'é', igrave: 'ì', ograve: 'ò', ugrave: 'ù' },
}

/**
 * The paragraphs of a text. Providers write HTML into texts; what is shown is text alone, so nothing in
 * it can run, and no markup is read out.
 */
export function paragraphsOf(text: string): readonly string[] {
  const isHtml = /<\/?[a-z][^>]*>|&[a-z]+;|&#\d+;/i.test(text)
  const plain = isHtml ? withoutMarkup(text) : text
  return plain
    .split(/\n+/)
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .filter((line) => line !== '')
}

function withoutMarkup(html: string): string {
  return decode(
    html
      .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
      .replace(/\s+/g, ' ')
      .replace(/<li\b[^>]*>/gi, '\n• ')
      .replace(/<(br|\/p|\/div|\/h\d|\/ul|\/ol|\/tr)\b[^>]*>/gi, '\n')
      .replace(/<[^>]*>/g, ''),
  )
}

function decode(text: string): string {
  return text.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return named[name] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole
  })
}

/** What a record is called by the first of some fields that it has, in a language if it can be; at worst its id. */
export function titleOf(record: Members, fields: readonly string[], language: string): Said {
  const said = fields.map((field) => titleIn(record, field, language))
  const id = record['Id'] ?? record['id']
  const otherwise = { text: textOf(record['Shortname']) ?? textOf(id) ?? '…' }
  return said.find((one) => one !== undefined) ?? otherwise
}

function titleIn(record: Members, field: string, language: string): Said | undefined {
  const [member = '', , name] = field.split('.')
  const value = record[member]
  const texts = isByLanguage(value) && name !== undefined ? pluck(value, name) : value
  const text = textOf(value)
  if (text === undefined) return sayIn(textsByLanguage(texts), language)
  const own = textOf(record['Language'])
  return own === undefined ? { text } : { text, language: own }
}
