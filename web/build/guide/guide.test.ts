import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { chapters, elsewhere } from './contents.ts'
import type { GuidePage } from './guide-page.ts'
import { readContents, readGuidePage } from './read-guide.ts'
import { anchors } from './to-anchor.ts'
import { toHref } from './to-href.ts'
import { toPage } from './to-page.ts'
import { toSections } from './to-sections.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = (markdown: string) => toPage({ slug: 'a', file: 'docs/quotas.md', markdown })

const pages = await Promise.all(chapters.map(({ slug }) => readGuidePage(root, slug)))
const known = new Map(pages.flatMap((one) => (one === undefined ? [] : [[one.slug, one] as const])))

it('has every page of the documentation', () => {
  const files = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'))
  const shown = [...chapters.map(({ file }) => file), ...Object.keys(elsewhere)]
  expect(shown).toEqual(expect.arrayContaining(files.map((name) => `docs/${name}`)))
})

it('says of every page of docs/ what it tells', async () => {
  const contents = await readContents(root)
  expect(contents.filter(({ summary }) => summary === '').map(({ slug }) => slug)).toEqual([])
})

it.each([...known.values()].map((one) => [one.slug, one] as const))(
  'leads from %s to places that are there',
  (_slug, shown) => {
    const lost = linksOf(shown).filter((href) => !isThere(href, shown))
    expect(lost).toEqual([])
  },
)

it('rewrites links to where the page shows the file, and leaves out those to nowhere', () => {
  expect(toHref('push.md#order', 'docs/quotas.md')).toBe('/docs/push#order')
  expect(toHref('docs/errors.md', 'README.md')).toBe('/docs/errors')
  expect(toHref('../compose.yaml', 'docs/README.md')).toBeUndefined()
  expect(toHref('https://example.org', 'README.md')).toBe('https://example.org')
})

it('makes anchors as GitHub does', () => {
  const anchorOf = anchors()
  const made = ['Buckets of time', 'Columns: Arrow, Parquet', 'Order', 'Order'].map(anchorOf)
  expect(made).toEqual(['buckets-of-time', 'columns-arrow-parquet', 'order', 'order-1'])
})

it('makes pieces of Markdown: text without its comments, headings, examples and why they are not tried', () => {
  const { title, blocks } = page(
    '# A *b*\n\n<!-- no -->\n\nText <b>x</b>.\n\n## C `d`\n\n```sh not tried: needs a file\ncurl\n```\n',
  )
  expect(title).toBe('A *b*')
  expect(blocks).toEqual([
    { kind: 'html', html: '<p>Text x.</p>' },
    { kind: 'heading', heading: { level: 2, id: 'c-d', text: 'C d' }, html: 'C <code>d</code>' },
    { kind: 'code', language: 'sh', text: 'curl', untried: 'needs a file' },
  ])
})

it('has sections to search, as plain text', () => {
  const sections = toSections(
    page('# T\n\nBefore `a<b`.\n\n## H\n\n| a | b |\n|---|---|\n| c | d |\n'),
  )
  expect(sections.map(({ id, title, text }) => [id, title, text])).toEqual([
    ['', 'T', 'Before a<b.'],
    ['h', 'H', 'a b c d'],
  ])
})

function linksOf({ blocks }: GuidePage): readonly string[] {
  const html = blocks.map((block) => (block.kind === 'code' ? '' : block.html)).join('')
  return [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
}

function isThere(href: string, from: GuidePage): boolean {
  if (/^https:/.test(href) || href === '/') return true
  const [path = '', anchor] = href.split('#')
  if (Object.values(elsewhere).includes(path)) return true
  const target = path === '' ? from : known.get(path.replace('/docs/', ''))
  const ids = target?.blocks.flatMap((one) => (one.kind === 'heading' ? [one.heading.id] : []))
  return ids !== undefined && (anchor === undefined || ids.includes(anchor))
}
