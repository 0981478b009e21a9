import { payloadToJson } from './json.ts'
import { toElement } from './to-element.ts'
import type { Note } from './to-element.ts'
import { schemaVersion, version3 } from './version-3.ts'
import { toXml } from './xml.ts'

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
 * A publication of DATEX II v3, valid against its schema.
 * @throws TypeError for a publication without what its type requires
 */
export function toEncodings(publication: Publication, note: Note): Encodings {
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
  return { xml: toXml({ ...root, attributes }), json: payloadToJson(root, schemaVersion) }
}

const declarations: Readonly<Record<string, string>> = Object.fromEntries<string>([
  ...Object.entries(version3.namespaces ?? {}).map(
    ([prefix, name]) => [`xmlns:${prefix}`, name] as const,
  ),
  ['xmlns:xsi', 'http://www.w3.org/2001/XMLSchema-instance'] as const,
])
