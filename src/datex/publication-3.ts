import { payloadSteps } from './json.ts'
import { toElement } from './to-element.ts'
import type { Note } from './to-element.ts'
import { schemaVersion, version3 } from './version-3.ts'
import { xmlSteps } from './xml.ts'

/** Who publishes: the region's country and language, and the provider's own identifier. */
export type Publisher = {
  readonly country: string
  readonly language: string
  readonly nationalIdentifier: string
}

type Publication = {
  /** Such as `aegi:EnergyInfrastructureTablePublication`. */
  readonly type: string
  readonly publicationTime: Date
  readonly publisher: Publisher
  /** Its own fields; what they hold may be written already. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** A document of DATEX II v3 in both encodings. */
export type Encodings = { readonly xml: string; readonly json: string }

/**
 * A publication of DATEX II v3, valid against its schema; in steps, for it may be of thousands.
 * @throws TypeError for a publication without what its type requires
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
  if (root === undefined) throw new TypeError(`${type} lacks what it requires.`)
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
