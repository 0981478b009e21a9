import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { ViewFile } from './page-paths.ts'

/** What Vite writes of a build (`build.manifest`), as far as it is needed: chunks by name. */
export const manifestSchema = Type.Record(
  Type.String(),
  Type.Object({
    file: Type.String(),
    /** Names of the chunks that it cannot run without; those that it loads later are not among them. */
    imports: Type.Optional(Type.Array(Type.String())),
    css: Type.Optional(Type.Array(Type.String())),
  }),
)

export type Manifest = Static<typeof manifestSchema>

/** What begins, and has data on its way; Vite names its files. */
const entry = 'index.html'

/** What is around every view. */
const frame = 'src/shell/show-page.ts'

/**
 * The links by which the page names the files of its frame and of a view that it does not name anyway.
 * Vite's loader leaves alone what a link of the page names by the same address.
 */
export function preloadLinks(manifest: Manifest, view: ViewFile): readonly string[] {
  const named = filesOf(manifest, entry)
  const { scripts, styles } = filesOf(manifest, frame, `src/${view}`)
  const further = (files: ReadonlySet<string>, known: ReadonlySet<string>) =>
    [...files].filter((file) => !known.has(file))
  return [
    ...further(scripts, named.scripts).map(
      (file) => `<link rel="modulepreload" crossorigin href="/${file}">`,
    ),
    ...further(styles, named.styles).map(
      (file) => `<link rel="stylesheet" crossorigin href="/${file}">`,
    ),
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
