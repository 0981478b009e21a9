import { printBoth, toElement, toEncodings, version3 } from '../../datex/index.ts'
import type { PrintedElement, Publisher } from '../../datex/index.ts'
import { toDocument } from '../keep-exit.ts'
import type { Built, Document, Exit, LeftOut } from '../keep-exit.ts'
import type { CurrentStation, CurrentStations } from '../../timeseries/index.ts'
import { toSlug } from '../../traffic/index.ts'

/** Of the region. */
export type Region = Pick<Publisher, 'country' | 'language'>

/** What the publications of one kind have in common. */
export type Kind = {
  /** In the address, such as `energy-infrastructure-table`. */
  readonly name: string
  /** The type of the publication, such as `aegi:EnergyInfrastructureTablePublication`. */
  readonly type: string
  /** Where stations stand: the type that has the field, and the field. */
  readonly place: readonly [type: string, field: string]
}

/** Several may be of one station, such as the places in it that are kept for some. */
type OfStation = { readonly station: Pick<CurrentStation, 'type' | 'code'> }

/** What one provider publishes. */
export type Provided<Item> = { readonly origin: string; readonly items: readonly Item[] }

/** In alphabetical order. */
export function byOrigin<Item>(
  items: readonly Item[],
  originOf: (item: Item) => string,
): readonly Provided<Item>[] {
  const groups = [...Map.groupBy(items, originOf)].map(([origin, own]) => ({ origin, items: own }))
  return groups.sort((left, right) => (left.origin < right.origin ? -1 : 1))
}

type Building = {
  readonly kind: Kind
  readonly concerned: Exit['concerned']
  readonly build: (current: CurrentStations, region: Region) => Generator<undefined, Built>
}

/** What is published of the same stations: what they are, and how they are at present. */
export function toExits(region: Region, kinds: readonly Building[]): readonly Exit[] {
  return kinds.map(({ kind, concerned, build }) => ({
    name: `datex3/${kind.name}`,
    concerned,
    build: (current) => build(current, region),
    offers: [],
  }))
}

type Publication<Item> = {
  readonly kind: Kind
  readonly region: Region
  /** Of the data: the newest change of what is published. */
  readonly changed: Date
  readonly provided: readonly Provided<Item>[]
  /** A station as a value of the element that it becomes. */
  readonly toValue: (item: Item) => object
  /** The fields of the publication around its stations. */
  readonly toFields: (
    stations: readonly PrintedElement[],
    of: Provided<Item>,
  ) => Readonly<Record<string, unknown>>
  readonly leftOut: readonly LeftOut[]
}

/** Addresses below the root. */
export const root = '/traffic/datex/3'

export const headerInformation = { confidentiality: 'noRestriction', informationStatus: 'real' }

const xmlType = 'application/xml; charset=utf-8'
const jsonType = 'application/json; charset=utf-8'

/** Under which a document of an exit is kept: its address with the encoding. */
export function toKey(path: string, encoding: 'xml' | 'json'): string {
  return `${path}#${encoding}`
}

/** The slugs of the providers that have documents, in alphabetical order. */
export function providersIn(documents: ReadonlyMap<string, unknown>): readonly string[] {
  const slugs = [...documents.keys()].map((key) => {
    const below = key.slice(root.length + 1, key.lastIndexOf('#'))
    return below.slice(below.indexOf('/') + 1)
  })
  return [...new Set(slugs)].sort()
}

/**
 * A document for each provider in both encodings. Should two origins share a slug, the last in alphabetical
 * order keeps it, on every node.
 */
export function* publish<Item extends OfStation>(
  publication: Publication<Item>,
): Generator<undefined, Built> {
  const { kind, provided } = publication
  const leftOut = [...publication.leftOut]
  const documents = new Map<string, Document>()
  const keepers = new Map(provided.map(({ origin }) => [toSlug(origin), origin]))
  let published = 0
  for (const of of provided) {
    const keeper = keepers.get(toSlug(of.origin))
    if (keeper !== undefined && keeper !== of.origin) {
      leftOut.push(...withoutAddress(of, keeper))
      continue
    }
    const stations: PrintedElement[] = []
    for (const item of of.items) {
      stations.push(write(kind, publication.toValue(item)))
      yield
    }
    published += stations.length
    const path = `${root}/${kind.name}/${toSlug(of.origin)}`
    for (const [key, document] of toDocuments(publication, of, stations)) {
      documents.set(toKey(path, key), document)
    }
    yield
  }
  return { documents, published, leftOut }
}

function withoutAddress<Item extends OfStation>(
  { origin, items }: Provided<Item>,
  keeper: string,
): readonly LeftOut[] {
  const reason = `Its origin ${JSON.stringify(origin)} has the same address as ${JSON.stringify(keeper)}.`
  return [...new Set(items.map(({ station }) => station))].map(({ type, code }) => {
    return { type, code, lacks: 'origin', reason }
  })
}

function toDocuments<Item>(
  { kind, region, changed, toFields }: Publication<Item>,
  of: Provided<Item>,
  stations: readonly PrintedElement[],
): readonly (readonly ['xml' | 'json', Document])[] {
  const fields = toFields(stations, of)
  const publisher = { ...region, nationalIdentifier: of.origin }
  const publication = { type: kind.type, publicationTime: changed, publisher, fields }
  const { xml, json } = toEncodings(publication, () => undefined)
  return [
    ['xml', toDocument({ body: xml, type: xmlType, changed })],
    ['json', toDocument({ body: json, type: jsonType, changed })],
  ]
}

function write({ place: [typeName, field] }: Kind, value: object): PrintedElement {
  const slot = version3.types.get(typeName)?.members.find(({ name }) => name === field)
  const element = slot && toElement(slot, value, { model: version3, note: () => undefined })
  // What stations have been judged by is more than the schema asks for.
  if (element === undefined) throw new TypeError(`${typeName}.${field} lacks what it requires.`)
  return printBoth(element)
}
