import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Parse } from 'typebox/value'
import type { ViewFile } from './page-paths.ts'
import { manifestSchema, preloadLinks } from './preload-links.ts'
import type { Manifest } from './preload-links.ts'

/** The built page, kept from the start on, and the folder of its assets. */
export type Page = {
  /** Its HTML where a view stands: the same everywhere, but for the files that it names ahead. */
  readonly htmlOf: (view: ViewFile) => string
  readonly assets: string
}

const dist = fileURLToPath(new URL('../../web/dist', import.meta.url))

/**
 * What `npm run build` made, or undefined if nobody ran it. A later build does not change it: a page
 * and its assets belong together, and the build leaves earlier assets where they are for a while.
 */
export function loadPage(folder = dist): Page | undefined {
  const path = join(folder, 'index.html')
  if (!existsSync(path)) return undefined
  const html = readFileSync(path, 'utf8')
  const manifest = loadManifest(folder)
  return {
    htmlOf: (view) => withLinks(html, preloadLinks({ manifest, html }, view)),
    assets: join(folder, 'assets'),
  }
}

/** Without one, as earlier builds were, every view finds its files itself. */
function loadManifest(folder: string): Manifest {
  const path = join(folder, 'manifest.json')
  return existsSync(path) ? Parse(manifestSchema, JSON.parse(readFileSync(path, 'utf8'))) : {}
}

/** At the end of the head: what runs first is fetched first. */
function withLinks(html: string, links: readonly string[]): string {
  return html.replace('</head>', (end) => [...links.map((link) => `  ${link}\n  `), end].join(''))
}
