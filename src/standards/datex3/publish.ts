import { createHash } from 'node:crypto'
import { encodingSteps, printBoth, toElement, version3 } from '../../datex/index.ts'
import type { Encodings, PrintedElement, Publisher } from '../../datex/index.ts'
import { newestOf, nextDocument } from '../keep-exit.ts'
import type { Built, Document, Exit, LeftOut, Moment } from '../keep-exit.ts'
import { byAddress, toSlug } from '../../timeseries/index.ts'
import type { CurrentStation, CurrentStations } from '../../timeseries/index.ts'

/** Country and language of the region. */
export type Region = Pick<Publisher, 'country' | 'language'>

/** What all publications of one kind have in common. */
export type Kind = {
  /** Name in the URL, such as `energy-infrastructure-table`. */
  readonly name: string
  /** Type of the publication, such as `aegi:EnergyInfrastructureTablePublication`. */
  readonly type: string
  readonly place: readonly [type: string, field: string]
}

/**
 * An item of a publication. Several may belong to one station, such as its spaces that are reserved
 * for some users.
 */
type OfStation = {
  readonly station: CurrentStation
  readonly plugs?: readonly CurrentStation[]
}

/** The items of one provider. */
export type Provided<Item> = { readonly origin: string; readonly items: readonly Item[] }

/** Groups items by provider, in alphabetical order. */
export function byOrigin<Item>(
  items: readonly Item[],
  originOf: (item: Item) => string,
): readonly Provided<Item>[] {
  const groups = [...Map.groupBy(items, originOf)].map(([origin, own]) => ({ origin, items: own }))
  return groups.sort((left, right) => (left.origin < right.origin ? -1 : 1))
}

type Buildable = {
  readonly kind: Kind
  readonly concerned: Exit['concerned']
  readonly build: (building: Building) => Generator<undefined, Built>
}

/** The data from which a publication is built. */
export type Building = {
  readonly current: CurrentStations
  readonly region: Region
  readonly moment: Moment
}

/**
 * Creates the exits of the same stations: one for what they are, and one for their current state.
 */
export function toExits(region: Region, kinds: readonly Buildable[]): readonly Exit[] {
  return kinds.map(({ kind, concerned, build }) => ({
    name: `datex3/${kind.name}`,
    concerned,
    build: (current, moment) => build({ current, region, moment }),
    offers: [],
  }))
}

type Publication<Item> = {
  readonly kind: Kind
  readonly region: Region
  readonly moment: Moment
  readonly provided: readonly Provided<Item>[]
  /** Converts an item to the value of its element. */
  readonly toValue: (item: Item) => object
  /** Returns the fields of the publication around its stations. */
  readonly toFields: (
    stations: readonly PrintedElement[],
    of: Provided<Item> & { readonly changed: Date },
  ) => Readonly<Record<string, unknown>>
  readonly leftOut: readonly LeftOut[]
}

/** Path below which all publications are. */
export const root = '/traffic/datex/3'

export const headerInformation = { confidentiality: 'noRestriction', informationStatus: 'real' }

const types = {
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const

/** Returns the key of a document within an exit: its path and encoding. */
export function toKey(path: string, encoding: 'xml' | 'json'): string {
  return `${path}#${encoding}`
}

/** Returns the slugs of the providers that have documents, in alphabetical order. */
export function providersIn(documents: ReadonlyMap<string, unknown>): readonly string[] {
  const slugs = [...documents.keys()].map((key) => {
    const below = key.slice(root.length + 1, key.lastIndexOf('#'))
    return below.slice(below.indexOf('/') + 1)
  })
  return [...new Set(slugs)].sort()
}

/** Creates a document for each provider in both encodings. Yields between items. */
export function* publish<Item extends OfStation>(
  publication: Publication<Item>,
): Generator<undefined, Built> {
  const { kind, provided } = publication
  const leftOut = [...publication.leftOut]
  const documents = new Map<string, Document>()
  const keepers = byAddress(inOrder(provided))
  let published = 0
  for (const of of provided) {
    const [keeper] = keepers.get(toSlug(of.origin)) ?? []
    if (keeper !== undefined && keeper !== of.origin) {
      leftOut.push(...withoutAddress(of, keeper))
      continue
    }
    const stations: PrintedElement[] = []
    const hash = createHash('sha256').update(JSON.stringify([of.origin, publication.region]))
    for (const item of of.items) {
      const element = write(kind, publication.toValue(item))
      hash.update(element.printed)
      stations.push(element)
      yield
    }
    published += stations.length
    yield* addDocuments(documents, publication, { ...of, stations, content: hash.digest('hex') })
  }
  return { documents, published, leftOut }
}

/**
 * Sorts origins by their first station, which has the lowest id. Of origins with equal ones, the
 * last in alphabetical order comes first.
 */
function inOrder<Item extends OfStation>(provided: readonly Provided<Item>[]): readonly string[] {
  const first = ({ items }: Provided<Item>) =>
    items.reduce((least, { station: { id } }) => Math.min(least, id), Infinity)
  return provided
    .map((of) => ({ origin: of.origin, first: first(of) }))
    .reverse()
    .sort((left, right) => left.first - right.first)
    .map(({ origin }) => origin)
}

function withoutAddress<Item extends OfStation>(
  { origin, items }: Provided<Item>,
  keeper: string,
): readonly LeftOut[] {
  const reason = `Its origin ${JSON.stringify(origin)} has the same URL as ${JSON.stringify(keeper)}.`
  return [...new Set(items.map(({ station }) => station))].map(({ type, code }) => {
    return { type, code, lacks: 'origin', reason }
  })
}

type Provider<Item> = Provided<Item> & {
  readonly stations: readonly PrintedElement[]
  /** Digest of the stations. */
  readonly content: string
}

/** Adds both encodings of a provider's publication. */
function* addDocuments<Item extends OfStation>(
  documents: Map<string, Document>,
  { kind, region, moment, toFields }: Publication<Item>,
  { stations, content, ...of }: Provider<Item>,
): Generator<undefined, void> {
  const path = `${root}/${kind.name}/${toSlug(of.origin)}`
  const newest = newestOf(of.items.flatMap(stationsOf))
  let printed: Encodings | undefined
  for (const encoding of ['xml', 'json'] as const) {
    const key = toKey(path, encoding)
    const print = function* (changed: Date): Generator<undefined, string> {
      const fields = toFields(stations, { ...of, changed })
      const publisher = { ...region, nationalIdentifier: of.origin }
      const publication = { type: kind.type, publicationTime: changed, publisher, fields }
      printed ??= yield* encodingSteps(publication, () => undefined)
      return printed[encoding]
    }
    const given = { content, type: types[encoding], newest, print }
    documents.set(key, yield* nextDocument(moment, key, given))
  }
}

function stationsOf({ station, plugs = [] }: OfStation): readonly CurrentStation[] {
  return [station, ...plugs]
}

function write({ place: [typeName, field] }: Kind, value: object): PrintedElement {
  const slot = version3.types.get(typeName)?.members.find(({ name }) => name === field)
  const element = slot && toElement(slot, value, { model: version3, note: () => undefined })
  // Stations are checked more strictly than the schema requires, so this is a fault of the hub.
  if (element === undefined)
    throw new TypeError(`${typeName}.${field} is missing a required field.`)
  return printBoth(element)
}
