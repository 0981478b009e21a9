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

/** Headings come first, then what introduces, then what tells. */
const ranks = [
  /^((Acco)?Detail\.)?((Event)?Title|Name|TagName|Webcamname|EvolutionTitle)$/,
  /^((Acco)?Detail\.)?(Header|SubHeader|IntroText|Shortdesc|Teaser)$/,
  /^((Acco)?Detail\.)?(BaseText|Longdesc|Description|EventText|EventDescription|Evolution)$/,
  /^(Acco)?Detail\./,
]

/** All texts of a record, whatever members they stand in; what says the same as another is left out. */
export function readTexts(record: Members): readonly Text[] {
  const found = Object.entries(record).flatMap(([name, value]) =>
    contacts.test(name) ? [] : [...textsIn(name, value), ...textAlone(record, name, value)],
  )
  const seen = new Set<string>()
  const unlike = found.filter(({ byLanguage }) => {
    const key = JSON.stringify(Object.entries(byLanguage).toSorted())
    return !seen.has(key) && seen.add(key)
  })
  return unlike.toSorted((a, b) => rankOf(a.path) - rankOf(b.path))
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
      const byLanguage = Object.fromEntries(
        Object.entries(value).flatMap(([language, one]) => {
          const text =
            isMembers(one) && typeof one[name] === 'string' ? textOf(one[name]) : undefined
          return text === undefined ? [] : [[language, text]]
        }),
      )
      return Object.keys(byLanguage).length === 0 ? [] : [{ path: `${member}.${name}`, byLanguage }]
    })
}

/** Reports are in one language, which they name. */
function textAlone(record: Members, name: string, value: unknown): readonly Text[] {
  const language = textOf(record['Language'])
  const isText = typeof value === 'string' && /\S+\s+\S+\s+\S+/.test(value) && !technical.test(name)
  if (language === undefined || !isText || name === 'Shortname') return []
  return [{ path: name, byLanguage: { [language]: value } }]
}

function rankOf(path: string): number {
  const rank = ranks.findIndex((pattern) => pattern.test(path))
  return rank === -1 ? ranks.length : rank
}

/** Whether a text at a path leads to what follows it. */
export function isIntroduction(path: string): boolean {
  return rankOf(path) === 1
}

/** Whether a text is the name of the record. */
export function isTitle({ path }: Text): boolean {
  return rankOf(path) === 0
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

/** Members that name a record that has no title by language. */
const names = [
  'Title',
  'Name',
  'name',
  'DistrictName',
  'MunicipalityName',
  'EvolutionTitle',
  'Shortname',
]

/** What a record is called, in a language if it can be; at worst its id. */
export function titleOf(record: Members, language: string): Said {
  const titles = readTexts(record)
    .filter(isTitle)
    .flatMap(({ byLanguage }) => sayIn(byLanguage, language) ?? [])
  const best = titles.find((title) => title.language === language) ?? titles[0]
  if (best !== undefined) return best
  const name = names.map((one) => textOf(record[one])).find((one) => one !== undefined)
  return { text: name ?? textOf(record['Id']) ?? textOf(record['id']) ?? '…' }
}
