import { createHash } from 'node:crypto'
import type { Members } from '../../lang/json.ts'
import { jsonType } from '../../http/index.ts'
import { nextDocument } from '../keep-exit.ts'
import type { Document, Moment } from '../keep-exit.ts'
import type { SystemDefinition } from './definition.ts'
import { versions, writeTime } from './kinds.ts'
import type { Form, Version } from './kinds.ts'

/** One file of a system. */
export type File = {
  /** Name in version 3.0. */
  readonly name: string
  /**
   * Name in version 2.3; null if the file does not exist there. If omitted, it is the same as in
   * 3.0.
   */
  readonly in23?: string | null
  /** Time at which the content last changed. */
  readonly changed: Date
  /** True if version 2.3 has a file for each language. */
  readonly isLocalized: boolean
  /**
   * Returns the content. Lists that may have thousands of items are `listed`, which creates items
   * while they are printed.
   */
  readonly data: (form: Form) => Members
}

type Whole = {
  readonly definition: SystemDefinition
  readonly publicUrl: string
  readonly stated: Date
}

export const manifestPath = '/gbfs/manifest.json'

export const discoveryPath = (system: string, version: Version): string =>
  version === '3.0' ? `/gbfs/${system}/gbfs.json` : `/gbfs/${system}/2.3/gbfs.json`

const nameIn = ({ version }: Form, { name, in23 }: File) =>
  version === '3.0' ? name : (in23 ?? name)

function filesIn({ version }: Form, files: readonly File[]): readonly File[] {
  return version === '3.0' ? files : files.filter(({ in23 }) => in23 !== null)
}

function filePath(system: string, form: Form, file: File): string {
  const name = nameIn(form, file)
  return form.version === '3.0'
    ? `/gbfs/${system}/3.0/${name}.json`
    : `/gbfs/${system}/2.3/${form.language}/${name}.json`
}

type Envelope = {
  readonly path: string
  readonly form: Form
  readonly changed: Date
  readonly ttl: number
  readonly data: Members
}

/** Prints the document of a file. Yields between the items of its lists. */
export function* inEnvelope(
  moment: Moment,
  { path, form, changed: newest, ttl, data }: Envelope,
): Generator<undefined, Document> {
  const around = { ttl, version: form.version }
  const { text, digest } = yield* printData(data, JSON.stringify(around))
  function* print(changed: Date): Generator<undefined, string> {
    yield
    const head = JSON.stringify({ last_updated: writeTime(changed)(form), ...around })
    return `${head.slice(0, -1)},"data":${text}}`
  }
  return yield* nextDocument(moment, path, { content: digest, type: jsonType, newest, print })
}

export function* listed<Item>(
  items: readonly Item[],
  print: (item: Item) => Members,
): Generator<Members, void> {
  for (const item of items) yield print(item)
}

function isListed(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'object' && value !== null && Symbol.iterator in value && !Array.isArray(value)
  )
}

function* printData(
  data: Members,
  around: string,
): Generator<undefined, { readonly text: string; readonly digest: string }> {
  const hash = createHash('sha256').update(around)
  const parts: string[] = []
  for (const [name, value] of Object.entries(data)) {
    const items: string[] = []
    const isList = isListed(value)
    for (const item of isList ? value : [value]) {
      const text = JSON.stringify(item)
      hash.update(text)
      items.push(text)
      yield
    }
    const list = items.join(',')
    parts.push(`${JSON.stringify(name)}:${isList ? `[${list}]` : list}`)
  }
  return { text: `{${parts.join(',')}}`, digest: hash.digest('base64url') }
}

export const defaultTtl = 60

/**
 * Prints all files of a system in all versions, by their paths. Yields between the items of their
 * lists.
 */
export function* printFiles(
  whole: Whole,
  files: readonly File[],
  moment: Moment,
): Generator<undefined, ReadonlyMap<string, Document>> {
  const { definition, stated } = whole
  const { system_id: system, languages, ttl = defaultTtl } = definition
  const documents = new Map<string, Document>()
  const [main = ''] = languages
  const all = [...files, versionsFile(whole)]
  for (const form of formsOf(languages)) {
    for (const file of filesIn(form, all)) {
      const { changed, data, isLocalized } = file
      // The file is the same in every language, so the document of the main one is used for all
      // their paths.
      const first = filePath(system, { ...form, language: main }, file)
      const known = isLocalized ? undefined : documents.get(first)
      const path = filePath(system, form, file)
      const wanted = () => ({ path, form, changed, ttl, data: data(form) })
      documents.set(path, known ?? (yield* inEnvelope(moment, wanted())))
    }
  }
  for (const [version, data] of discoveries(whole, all)) {
    const form = { version, language: main }
    const path = discoveryPath(system, version)
    const wanted = { path, form, changed: stated, ttl, data }
    documents.set(path, yield* inEnvelope(moment, wanted))
  }
  return documents
}

/**
 * Returns a form for version 3.0, which has all languages in one file, and one for each language of
 * 2.3.
 */
function formsOf(languages: readonly string[]): readonly Form[] {
  const ofVersion2 = languages.map((language) => ({ version: '2.3', language }) as const)
  return [{ version: '3.0', language: languages[0] ?? '' }, ...ofVersion2]
}

function discoveries(
  { definition, publicUrl }: Whole,
  files: readonly File[],
): readonly (readonly [Version, Members])[] {
  const { system_id: system, languages } = definition
  const feeds = (form: Form) => ({
    feeds: filesIn(form, files).map((file) => ({
      name: nameIn(form, file),
      url: `${publicUrl}${filePath(system, form, file)}`,
    })),
  })
  const ofVersion2 = languages.map(
    (language) => [language, feeds({ version: '2.3', language })] as const,
  )
  return [
    ['3.0', feeds({ version: '3.0', language: '' })],
    ['2.3', Object.fromEntries(ofVersion2)],
  ]
}

/** Returns the discovery URL of each version of a system. */
export function versionsOf(system: string, publicUrl: string): readonly Members[] {
  return versions.toReversed().map((version) => ({
    version,
    url: `${publicUrl}${discoveryPath(system, version)}`,
  }))
}

function versionsFile({ definition, publicUrl, stated }: Whole): File {
  const starts = versionsOf(definition.system_id, publicUrl)
  // Validators of version 2.3 do not support later versions. The file is optional there.
  const data = () => ({ versions: starts })
  return { name: 'gbfs_versions', in23: null, changed: stated, isLocalized: false, data }
}
