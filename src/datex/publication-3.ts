import { payloadSteps } from './json.ts'
import { toElement } from './to-element.ts'
import type { Note } from './to-element.ts'
import { schemaVersion, version3 } from './version-3.ts'
import { xmlSteps } from './xml.ts'

/** The publisher: the region's country and language, and the provider's own identifier. */
export type Publisher = {
  readonly country: string
  readonly language: string
  readonly nationalIdentifier: string
}

type Publication = {
  /** The concrete type, such as `aegi:EnergyInfrastructureTablePublication`. */
  readonly type: string
  readonly publicationTime: Date
  readonly publisher: Publisher
  /** Fields of the concrete type. Their values may be elements that are already printed. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** A DATEX II v3 document in both encodings. */
export type Encodings = { readonly xml: string; readonly json: string }

/**
 * Prints a publication of DATEX II v3 that is valid against its schema. Runs in steps, because a
 * publication may hold thousands of records.
 * @throws TypeError if the publication lacks something that its type requires
 */
export function* encodingSteps(
  publication: Publication,
  note: Note,
): Generator<undefined, Encodings> {
  const { type, publicationTime, publisher, fields } = publication
  const { country, language, nationalIdentifier } = publisher
  const value = {
    'xsi:type': type,
    lang: language,
    publicationTime,
    publicationCreator: { country: country.toUpperCase(), nationalIdentifier },
    ...fields,
  }
  const slot = { name: 'payload', element: 'd2:payload', type: 'com:PayloadPublication' }
  const root = toElement(slot, value, { model: version3, note })
  if (root === undefined) throw new TypeError(`${type} is missing a required field.`)
  const attributes = { ...declarations, ...root.attributes }
  const xml = yield* xmlSteps({ ...root, attributes })
  return { xml, json: yield* payloadSteps(root, schemaVersion) }
}

const declarations: Readonly<Record<string, string>> = Object.fromEntries<string>([
  ...Object.entries(version3.namespaces ?? {}).map(
    ([prefix, name]) => [`xmlns:${prefix}`, name] as const,
  ),
  ['xmlns:xsi', 'http://www.w3.org/2001/XMLSchema-instance'] as const,
])
