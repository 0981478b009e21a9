import { posix } from 'node:path'
import { chapters, elsewhere } from './contents.ts'

const pages = new Map([
  ...chapters.map(({ file, slug }) => [file, `/docs/${slug}`] as const),
  ...Object.entries(elsewhere),
])

/**
 * Where a link of a file leads on the page; undefined for files that a running hub does not show.
 * @param file that has the link, from the root of the repository
 */
export function toHref(href: string, file: string): string | undefined {
  // The hub that the guide speaks of is the one that shows it.
  if (href === 'http://localhost:8080') return '/'
  if (/^[a-z]+:/.test(href) || href.startsWith('#') || href.startsWith('/')) return href
  const [path = '', anchor] = href.split('#')
  const page = pages.get(posix.normalize(posix.join(posix.dirname(file), path)))
  if (page === undefined) return undefined
  return anchor === undefined ? page : `${page}#${anchor}`
}
