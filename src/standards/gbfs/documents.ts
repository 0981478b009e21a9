import type { Members } from '../../lang/json.ts'
import { jsonType } from '../../http/index.ts'
import { toDocument } from '../keep-exit.ts'
import type { Document } from '../keep-exit.ts'
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
  readonly form: Form
  readonly changed: Date
  readonly ttl: number
  readonly data: Members
}

export function inEnvelope({ form, changed, ttl, data }: Envelope): Document {
  const whole = { last_updated: writeTime(changed)(form), ttl, version: form.version, data }
  return toDocument({ body: JSON.stringify(whole), type: jsonType, changed })
}

export const defaultTtl = 60

/** All files of a system in all versions, by their addresses; yields between them. */
export function* printFiles(
  whole: Whole,
  files: readonly File[],
): Generator<undefined, ReadonlyMap<string, Document>> {
  const { definition, stated } = whole
  const { system_id: system, languages, ttl = defaultTtl } = definition
  const documents = new Map<string, Document>()
  const [main = ''] = languages
  const all = [...files, versionsFile(whole)]
  for (const form of formsOf(languages)) {
    for (const file of filesIn(form, all)) {
      yield
      const { changed, data, isLocalized } = file
      // The same in every language: the document of the first one stands at all their addresses.
      const first = filePath(system, { ...form, language: main }, file)
      const known = isLocalized ? undefined : documents.get(first)
      const document = known ?? inEnvelope({ form, changed, ttl, data: data(form) })
      documents.set(filePath(system, form, file), document)
    }
  }
  for (const [version, data] of discoveries(whole, all)) {
    const form = { version, language: main }
    const document = inEnvelope({ form, changed: stated, ttl, data })
    documents.set(discoveryPath(system, version), document)
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
