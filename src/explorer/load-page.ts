import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built page: its HTML, kept from the start on, and the folder of its assets. */
export type Page = { readonly html: string; readonly assets: string }

const dist = fileURLToPath(new URL('../../web/dist', import.meta.url))

/**
 * What `npm run build` made, or undefined if nobody ran it. A later build does not change it: a page
 * and its assets belong together, and the build leaves earlier assets where they are for a while.
 */
export function loadPage(folder = dist): Page | undefined {
  const html = join(folder, 'index.html')
  if (!existsSync(html)) return undefined
  return { html: readFileSync(html, 'utf8'), assets: join(folder, 'assets') }
}
