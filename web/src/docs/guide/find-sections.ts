import type { Section } from '../../../build/guide/guide-page.ts'

/** A section of the guide that matches a search, with an excerpt around the first match. */
export type Found = {
  readonly href: string
  readonly page: string
  readonly title: string
  readonly excerpt: readonly { readonly text: string; readonly isMatch: boolean }[]
}

const most = 20
const around = 60

/** Returns the sections that contain all words of a search. Matches in headings rank first. */
export function findSections(sections: readonly Section[], typed: string): readonly Found[] {
  const wanted = plain(typed).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  return sections
    .map((section) => ({ section, score: scoreOf(section, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ section }) => toFound(section, wanted))
}

function scoreOf({ title, page, text }: Section, wanted: readonly string[]): number {
  const [heading, where, body] = [plain(title), plain(page), plain(text)]
  if (!wanted.every((word) => `${heading} ${where} ${body}`.includes(word))) return 0
  const points = wanted.map(
    (word) =>
      (heading.includes(word) ? 20 : 0) +
      (where.includes(word) ? 5 : 0) +
      Math.min(5, body.split(word).length - 1),
  )
  return 1 + points.reduce((sum, point) => sum + point, 0)
}

function toFound({ slug, id, page, title, text }: Section, wanted: readonly string[]): Found {
  const places = wanted.map((word) => plain(text).indexOf(word)).filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...places, text.length) - around)
  const begin = places.length === 0 ? 0 : start
  const cut = text.slice(begin, begin + 3 * around)
  const excerpt = `${begin > 0 ? '…' : ''}${cut}${begin + 3 * around < text.length ? '…' : ''}`
  const href = id === '' ? `/docs/${slug}` : `/docs/${slug}#${id}`
  return { href, page, title, excerpt: marked(excerpt, wanted) }
}

function marked(text: string, wanted: readonly string[]): Found['excerpt'] {
  const pattern = new RegExp(`(${wanted.map(escaped).join('|')})`, 'i')
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

function plain(text: string): string {
  return text.toLowerCase()
}
