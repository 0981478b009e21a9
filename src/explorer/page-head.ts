import { escapeMarkup, toScriptData } from '../lang/markup.ts'
import { paragraphsOf } from '../lang/paragraphs-of.ts'
import type { Explorer } from './schema.ts'

/** Public information on what a page is about, for search engines and for previews of links. */
export type Subject = {
  /** The canonical URL of the page, without parameters. */
  readonly address: string
  readonly title: string
  /** Text or HTML. */
  readonly description: string | undefined
  /** URL of a picture that may be shown anywhere. */
  readonly image?: string | undefined
  /** The same content in other formats, for programs. */
  readonly forms: readonly { readonly mediaType: string; readonly address: string }[]
  readonly linked: object | undefined
}

type Site = Pick<Explorer, 'title' | 'languages'>

/**
 * Returns the language that a URL specifies (`?lang=`), if the page supports it. A region is
 * ignored.
 */
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
  /** Language in the URL. Without it, the page uses the language of the browser. */
  readonly language: string | undefined
}

/**
 * Returns the page with a head of its own, which replaces the title of the built page and is added
 * to the end of its head.
 */
export function withHead(html: string, about: About): string {
  const { subject, language = 'en' } = about
  return html
    .replace(/<html lang="\w+">/, `<html lang="${language}">`)
    .replace('</head>', (end) => `${toData(subject)}${end}`)
    .replace(/<title>[^<]*<\/title>/, () => toElements(about).join('\n    '))
}

/**
 * Returns a data block. Browsers do not execute it, so the content security policy of the page does
 * not block it.
 */
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

/**
 * Maximum number of characters of a description that are read, and that are shown. Search engines
 * show fewer.
 */
const most = { read: 2000, shown: 300 }

/** Returns the start of a text on one line. A long text is cut between words. */
function toSummary(text: string): string {
  const start = text.slice(0, most.read).replace(/<[^>]*$/, '')
  const line = paragraphsOf(start).join(' ').toWellFormed()
  if (line.length <= most.shown) return line
  const cut = line.slice(0, most.shown).replace(/\s+\S*$/, '')
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`
}
