import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chapters } from './contents.ts'
import type { GuideEntry, GuidePage } from './guide-page.ts'
import { toPage } from './to-page.ts'

/** One page of the guide, from its file. */
export async function readGuidePage(root: string, slug: string): Promise<GuidePage | undefined> {
  const chapter = chapters.find((one) => one.slug === slug)
  if (chapter === undefined) return undefined
  const markdown = await readFile(join(root, chapter.file), 'utf8')
  return toPage({ ...chapter, markdown })
}

/** All pages in their order, with what the index of the documentation says of each. */
export async function readContents(root: string): Promise<readonly GuideEntry[]> {
  const index = await readFile(join(root, 'docs/README.md'), 'utf8')
  const rows = [...index.matchAll(/^\| \[`?([^\]`]+)`?\]\(([^)]+)\)\s*\|\s*(.+?)\s*\|$/gm)]
  const said = new Map(
    rows.map(([, title = '', href = '', summary = '']) => [href, { title, summary }]),
  )
  return await Promise.all(
    chapters.map(async ({ slug, group, file }) => {
      const href = file.startsWith('docs/') ? file.slice('docs/'.length) : `../${file}`
      const summary = (said.get(href)?.summary ?? '').replaceAll('`', '')
      const title = slug === 'first-hour' ? 'The first hour' : said.get(href)?.title
      // The files of the project are named in capitals there.
      const isNamed = title !== undefined && group !== 'project'
      const own = isNamed ? title : (await readGuidePage(root, slug))?.title
      return { slug, group, title: own ?? slug, summary }
    }),
  )
}
