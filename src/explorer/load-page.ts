import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import type { ViewFile } from './page-paths.ts'

/**
 * The needed part of the manifest that Vite writes for a build (`build.manifest`): chunks by name.
 */
const manifestSchema = Type.Record(
  Type.String(),
  Type.Object({
    file: Type.String(),
    /**
     * Names of the chunks that it cannot run without. Chunks that it loads later are not included.
     */
    imports: Type.Optional(Type.Array(Type.String())),
    css: Type.Optional(Type.Array(Type.String())),
  }),
)

type Manifest = Static<typeof manifestSchema>

/** The component around every view. */
const frame = 'src/shell/Shell.svelte'

type Built = {
  readonly manifest: Manifest
  /** `index.html`, in which Vite has linked the files that the page starts with. */
  readonly html: string
}

/**
 * Returns links that preload the files of the frame and of a view, except those that the page links
 * already. Vite's loader does not load a file again if a link of the page has the same URL.
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

/** Lists a chunk after its imports, because style sheets must follow those that they build on. */
function namesOf(manifest: Manifest, name: string, seen: Set<string>): readonly string[] {
  if (seen.has(name)) return []
  seen.add(name)
  const imports = manifest[name]?.imports ?? []
  return [...imports.flatMap((one) => namesOf(manifest, one, seen)), name]
}

/** The built page, which is kept in memory from the start, and the folder of its assets. */
export type Page = {
  /** Returns the HTML for a view. It differs between views only in the files that it preloads. */
  readonly htmlOf: (view: ViewFile) => string
  readonly assets: string
}

const dist = fileURLToPath(new URL('../../web/dist', import.meta.url))

/**
 * Loads the result of `npm run build`, or returns undefined if it has not been run. A later build
 * does not change a loaded page: a page and its assets belong together, and the build leaves
 * earlier assets in place for a while.
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

/** Loads the manifest. Without one, as in earlier builds, every view finds its files itself. */
function loadManifest(folder: string): Manifest {
  const path = join(folder, 'manifest.json')
  return existsSync(path) ? Parse(manifestSchema, JSON.parse(readFileSync(path, 'utf8'))) : {}
}

/** Inserts links at the end of the head, because what runs first must be fetched first. */
function withLinks(html: string, links: readonly string[]): string {
  return html.replace('</head>', (end) => [...links.map((link) => `  ${link}\n  `), end].join(''))
}
