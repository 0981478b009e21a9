import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import type { ViewFile } from './page-paths.ts'

/** What Vite writes of a build (`build.manifest`), as far as it is needed: chunks by name. */
const manifestSchema = Type.Record(
  Type.String(),
  Type.Object({
    file: Type.String(),
    /** Names of the chunks that it cannot run without; those that it loads later are not among them. */
    imports: Type.Optional(Type.Array(Type.String())),
    css: Type.Optional(Type.Array(Type.String())),
  }),
)

type Manifest = Static<typeof manifestSchema>

/** What is around every view. */
const frame = 'src/shell/Shell.svelte'

type Built = {
  readonly manifest: Manifest
  /** `index.html`, in which Vite has named what the page begins with. */
  readonly html: string
}

/**
 * The links by which the page names the files of its frame and of a view that it does not name anyway.
 * Vite's loader leaves alone what a link of the page names by the same address.
 */
export function preloadLinks({ manifest, html }: Built, view: ViewFile): readonly string[] {
  const { scripts, styles } = filesOf(manifest, frame, `src/${view}`)
  const further = (files: ReadonlySet<string>) =>
    [...files].map((file) => `"/${file}"`).filter((address) => !html.includes(address))
  return [
    ...further(scripts).map((address) => `<link rel="modulepreload" crossorigin href=${address}>`),
    ...further(styles).map((address) => `<link rel="stylesheet" crossorigin href=${address}>`),
  ]
}

function filesOf(manifest: Manifest, ...names: readonly string[]) {
  const seen = new Set<string>()
  const all = names.flatMap((name) => namesOf(manifest, name, seen))
  const chunks = all.flatMap((one) => manifest[one] ?? [])
  return {
    scripts: new Set(chunks.map(({ file }) => file)),
    styles: new Set(chunks.flatMap(({ css = [] }) => css)),
  }
}

/** Imports come before what imports them, as the rules of style sheets that build on others have to. */
function namesOf(manifest: Manifest, name: string, seen: Set<string>): readonly string[] {
  if (seen.has(name)) return []
  seen.add(name)
  const imports = manifest[name]?.imports ?? []
  return [...imports.flatMap((one) => namesOf(manifest, one, seen)), name]
}

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
