import { escapeMarkup, toScriptData } from '../lang/markup.ts'
import { paragraphsOf } from '../lang/paragraphs-of.ts'
import type { Explorer } from './schema.ts'

/** What a page is about, as everybody may know it: for search engines, and for previews of links to it. */
export type Subject = {
  /** The one address of the page, without parameters. */
  readonly address: string
  readonly title: string
  /** Text or HTML. */
  readonly description: string | undefined
  /** A picture that may be shown anywhere. */
  readonly image?: string | undefined
  /** The same in other forms, for programs. */
  readonly forms: readonly { readonly mediaType: string; readonly address: string }[]
  readonly linked: object | undefined
}

type Site = Pick<Explorer, 'title' | 'languages'>

/** The language that an address names (`?lang=`), where the page has it; regions count as their language. */
export function languageIn(
  url: string,
  { languages }: Pick<Site, 'languages'>,
): string | undefined {
  const wanted = new URLSearchParams(url.split('?')[1]).get('lang')?.toLowerCase().split('-')[0]
  return languages.find((language) => language === wanted)
}

type About = {
  readonly site: Site
  readonly subject: Subject
  /** What the address names; without it the page speaks that of the browser. */
  readonly language: string | undefined
}

/** The page with a head of its own. It stands where the built page has its title, and at the end. */
export function withHead(html: string, about: About): string {
  const { subject, language = 'en' } = about
  return html
    .replace(/<html lang="\w+">/, `<html lang="${language}">`)
    .replace('</head>', (end) => `${toData(subject)}${end}`)
    .replace(/<title>[^<]*<\/title>/, () => toElements(about).join('\n    '))
}

/** A block of data, which browsers do not run, so that the policy of the page does not refuse it. */
function toData({ linked }: Subject): string {
  if (linked === undefined) return ''
  return `  <script type="application/ld+json">${toScriptData(linked)}</script>\n  `
}

function toElements({ site, subject, language }: About): readonly string[] {
  const { address, image, forms } = subject
  const title = subject.title.slice(0, most.shown).toWellFormed()
  const description = toSummary(subject.description ?? '')
  const inLanguage = (code: string) => `${address}?lang=${code}`
  const canonical = language === undefined ? address : inLanguage(language)
  const facts = {
    ...{ type: 'website', site_name: site.title, title, url: canonical, description, image },
  }
  return [
    `<title>${escapeMarkup(`${title} · ${site.title}`)}</title>`,
    ...(description === '' ? [] : [element('meta', { name: 'description', content: description })]),
    element('link', { rel: 'canonical', href: canonical }),
    ...site.languages.map((code) =>
      element('link', { rel: 'alternate', hreflang: code, href: inLanguage(code) }),
    ),
    element('link', { rel: 'alternate', hreflang: 'x-default', href: address }),
    ...forms.map((form) =>
      element('link', { rel: 'alternate', type: form.mediaType, href: form.address }),
    ),
    ...Object.entries(facts).flatMap(([name, content]) =>
      content === undefined || content === ''
        ? []
        : [element('meta', { property: `og:${name}`, content })],
    ),
  ]
}

function element(name: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([key, text]) => `${key}="${escapeMarkup(text)}"`)
  return `<${[name, ...written].join(' ')} />`
}

/** Of a description, the characters that are read, and those that are shown: engines show fewer. */
const most = { read: 2000, shown: 300 }

/** The first sentences of a text, as one line. */
function toSummary(text: string): string {
  const start = text.slice(0, most.read).replace(/<[^>]*$/, '')
  const line = paragraphsOf(start).join(' ').toWellFormed()
  if (line.length <= most.shown) return line
  const cut = line.slice(0, most.shown).replace(/\s+\S*$/, '')
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`
}
