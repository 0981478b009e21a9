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
  /** Of version 3.0. */
  readonly name: string
  /** Its name in version 2.3; null where that has none. The same when it is left out. */
  readonly in23?: string | null
  /** When what it shows last changed. */
  readonly changed: Date
  /** Whether version 2.3 prints it for each language. */
  readonly isLocalized: boolean
  /** Lists of what may be thousands are `listed`: made while they are printed. */
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

/** The document of a file; yields between what it lists. */
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

/** All files of a system in all versions, by their addresses; yields between what they list. */
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
      // The same in every language: the document of the first one stands at all their addresses.
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

/** Version 3.0 has all languages in one file. */
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

/** Where each version of a system begins. */
export function versionsOf(system: string, publicUrl: string): readonly Members[] {
  return versions.toReversed().map((version) => ({
    version,
    url: `${publicUrl}${discoveryPath(system, version)}`,
  }))
}

function versionsFile({ definition, publicUrl, stated }: Whole): File {
  const starts = versionsOf(definition.system_id, publicUrl)
  // Validators of version 2.3 know no later one; the file is optional there.
  const data = () => ({ versions: starts })
  return { name: 'gbfs_versions', in23: null, changed: stated, isLocalized: false, data }
}
