import type { Entity, Profile, Summary } from '../content/index.ts'
import { describeStationType, timeseriesFormats, toSlug } from '../timeseries/index.ts'
import type { StationSummary, ValueSummary } from '../timeseries/index.ts'
import type { Freshness } from './schemas.ts'
import { addTallies, mostOf, valuesOf } from './facts.ts'
import type { ClosedFacts, Described, Drawable, OpenFacts, Traces } from './facts.ts'

/** Input for the descriptions of the datasets of a service. */
export type DescriptionInput = {
  readonly publicUrl: string
  /** Name of the hub. */
  readonly title: string
  readonly entities: readonly Entity[]
  readonly profile: Profile
  readonly licences: DefaultLicences
  readonly open: OpenFacts
  /** Closed data that the caller can see in addition to the open data. */
  readonly closed: ClosedFacts
  /** Closed data that everybody can see, because rules open it to guests. */
  readonly guest: ClosedFacts
  readonly hasToken: boolean
}

/**
 * Licences of open data that states none, by origin in lower case. `*` covers every other origin.
 */
export type DefaultLicences = ReadonlyMap<string, string>

type Licensed = Pick<Summary, 'licences' | 'unlicensed'>

/** Returns the stated licences, and the default licences of open data that states none. */
function licencesOf({ licences, unlicensed }: Licensed, defaults: DefaultLicences) {
  const given = new Map<string, number>()
  for (const [origin, count] of unlicensed) {
    const licence = defaults.get(origin.toLowerCase()) ?? defaults.get('*')
    if (licence !== undefined) given.set(licence, (given.get(licence) ?? 0) + count)
  }
  return valuesOf(addTallies(licences, given))
}

type Counts = {
  /** Records that everybody may read. */
  readonly open: number
  /** Closed records that the caller can see. */
  readonly closed: number
  /** Closed records, among those in `closed`, that rules open to guests. */
  readonly guest: number
}

/**
 * Returns who may read the data that the caller sees. Reveals nothing about the data that the
 * caller does not see.
 */
function accessOf({ open, closed, guest }: Counts): Described['access'] {
  if (closed <= guest) return 'open'
  return open + guest === 0 ? 'closed' : 'partly'
}

type Place = {
  readonly publicUrl: string
  readonly id: string
  /** Path below `/datasets`. */
  readonly page: string
}

/** Returns an identifier as a path. Its parts may hold any character. */
function toPath(id: string): string {
  const [service = '', ...type] = id.split('/')
  return `${service}/${encodeURIComponent(type.join('/'))}`
}

/** Returns the URLs that every dataset has. Clients replace `{id}` and similar placeholders. */
export function linksTo({ publicUrl, id, page }: Place): Readonly<Record<string, string>> {
  const self = `${publicUrl}/catalogue/${toPath(id)}`
  return {
    self,
    members: `${self}/members`,
    values: `${self}/values`,
    miniature: `${self}/miniature.svg`,
    page: `${publicUrl}/datasets/${toPath(page)}`,
  }
}

type Parts = {
  readonly open: Summary | undefined
  readonly closed: Summary | undefined
  readonly guest: Summary | undefined
}

/** Summary of the records of a dataset: the open ones, and the closed ones that the caller sees. */
type Reported = Pick<
  Described,
  'count' | 'updated' | 'access' | 'licences' | 'sources' | 'languages' | 'tags'
>

const maxTags = 12

const nothing: Summary = {
  count: 0,
  updated: null,
  sources: new Map(),
  licences: new Map(),
  unlicensed: new Map(),
  languages: new Map(),
  tags: new Map(),
  cells: new Map(),
  months: new Map(),
}

/** Merges the open and the visible closed records of a dataset. */
export function together({ open = nothing, closed = nothing }: Parts): Summary {
  const tally = (of: Exclude<keyof Summary, 'count' | 'updated'>) =>
    addTallies(open[of], closed[of])
  return {
    count: open.count + closed.count,
    updated: newer(open.updated, closed.updated),
    sources: tally('sources'),
    licences: tally('licences'),
    unlicensed: tally('unlicensed'),
    languages: tally('languages'),
    tags: tally('tags'),
    cells: tally('cells'),
    months: tally('months'),
  }
}

export function report(parts: Parts, { licences }: Pick<DescriptionInput, 'licences'>): Reported {
  const { open = nothing, closed = nothing, guest = nothing } = parts
  const whole = together(parts)
  const { count, updated, sources, languages, tags } = whole
  return {
    count,
    updated,
    access: accessOf({ open: open.count, closed: closed.count, guest: guest.count }),
    licences: licencesOf({ ...whole, unlicensed: open.unlicensed }, licences),
    sources: valuesOf(sources),
    languages: valuesOf(languages),
    tags: mostOf(tags, maxTags),
  }
}

export function traces(parts: Parts): Traces {
  const { cells, months, tags, languages, sources, licences } = together(parts)
  const values = { tags, languages, sources, licences, dataTypes: nothing.tags }
  return { cells, months, openCells: parts.open?.cells ?? new Map(), values }
}

/** Returns the later of two ISO 8601 timestamps. */
function newer(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

/** Describes the station types, with their data types and freshness. */
export function describeTimeseries(describing: DescriptionInput): readonly Drawable[] {
  return [...describing.open.stations]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([type, stations]) => describeType(type, stations, describing))
}

function describeType(
  type: string,
  stations: StationSummary,
  describing: DescriptionInput,
): Drawable {
  const { publicUrl, open, closed, guest } = describing
  const [openValues, closedValues] = [open.values.get(type), closed.values.get(type)]
  const id = `timeseries/${type}`
  const described = {
    id,
    service: 'timeseries' as const,
    type,
    recordType: null,
    dataspace: 'mobility',
    ...describeStationType(type),
    titleField: 'sname',
    count: stations.count,
    updated: newer(openValues?.newest ?? null, closedValues?.newest ?? null),
    freshness: freshnessOf([openValues, closedValues]),
    access: accessOf({
      open: openValues?.series ?? 0,
      closed: closedValues?.series ?? 0,
      guest: guest.values.get(type)?.series ?? 0,
    }),
    licences: licencesOf(stations, describing.licences),
    sources: valuesOf(stations.origins),
    languages: [],
    tags: [],
    dataTypes: mostOf(stations.dataTypes, maxDataTypes),
    formats: timeseriesFormats.map(({ name, mediaTypes: [mediaType] }) => ({ name, mediaType })),
    standards: [],
    operations: ['listStations', 'listSeries', 'listLatest', 'listHistory', 'listFreshness'],
    links: { ...linksTo({ publicUrl, id, page: id }), ...readsOf(type, stations, publicUrl) },
  }
  return { described, traces: tracesOf(stations) }
}

/** A shared empty tally. Its identity shows that nothing has changed. */
const none: ReadonlyMap<string, number> = new Map()

function tracesOf({ cells, origins, dataTypes }: StationSummary): Traces {
  const values = { tags: none, languages: none, sources: origins, licences: none, dataTypes }
  return { cells, months: none, openCells: cells, values }
}

/** Maximum number of data types in a description. The values of the dataset list up to 500. */
const maxDataTypes = 50

function readsOf(type: string, { edges }: StationSummary, publicUrl: string) {
  const name = encodeURIComponent(type)
  const at = (representation: string) => `${publicUrl}/v2/${representation}/${name}`
  return {
    list: at('flat,node'),
    latest: `${at('flat,node')}/*/latest`,
    history: `${at('flat,node')}/{dataTypes}/{from}/{to}`,
    freshness: `${publicUrl}/v2/freshness/${name}`,
    ...(edges > 0 ? { edges: at('flat,edge') } : {}),
  }
}

const order = ['fresh', 'late', 'stale', 'silent'] as const

/** Merges the series of both parts. Returns null if the caller can see no value. */
function freshnessOf(parts: readonly (ValueSummary | undefined)[]): Freshness | null {
  const known = parts.flatMap((part) => part ?? [])
  const series = known.reduce((sum, part) => sum + part.series, 0)
  if (series === 0) return null
  const countOf = (state: (typeof order)[number] | 'ahead') =>
    known.reduce((sum, { states }) => sum + states[state], 0)
  const counted = order.map((state) => [state, countOf(state)] as const)
  const half = counted.reduce((sum, [, count]) => sum + count, 0) / 2
  let passed = 0
  const median = counted.find(([, count]) => (passed += count) >= half && count > 0)
  const states = { ...Object.fromEntries(counted), ahead: countOf('ahead') }
  // The period of the part that has more series.
  const [larger] = known.toSorted((one, other) => other.series - one.series)
  return { state: median?.[0] ?? 'fresh', series, states, period: larger?.period ?? null }
}

const view = 'Announcement'

/**
 * Describes the providers of traffic events: every origin with an event that the caller can see.
 */
export function describeTraffic(describing: DescriptionInput): readonly Drawable[] {
  const { open, closed, guest } = describing
  const [opened, more, public_] = [open, closed, guest].map(({ content }) => content.get(view))
  const origins = [...new Set([...(opened?.keys() ?? []), ...(more?.keys() ?? [])])].sort()
  return origins.map((origin) => {
    const parts = {
      open: opened?.get(origin),
      closed: more?.get(origin),
      guest: public_?.get(origin),
    }
    return describeFeed(origin, parts, describing)
  })
}

const wordsOfFeed = (origin: string) => ({
  title: {
    de: `Verkehrsereignisse: ${origin}`,
    it: `Eventi sul traffico: ${origin}`,
    en: `Traffic events: ${origin}`,
  },
  description: {
    de: `Sperren, Baustellen, Unfälle und Wetter auf der Straße, gemeldet von ${origin}; auch als DATEX II.`,
    it: `Chiusure, cantieri, incidenti e meteo sulla strada, segnalati da ${origin}; anche come DATEX II.`,
    en: `Closures, road works, accidents and weather on the road, reported by ${origin}; also as DATEX II.`,
  },
})

function describeFeed(
  origin: string,
  parts: Parts,
  { publicUrl, licences }: Pick<DescriptionInput, 'publicUrl' | 'licences'>,
): Drawable {
  const slug = toSlug(origin)
  const id = `traffic/${slug}`
  const events = `${publicUrl}/v1/${view}?source=${encodeURIComponent(origin.toLowerCase())}`
  const feed = `${publicUrl}/traffic/v1/situation-publication/${encodeURIComponent(slug)}`
  // The feed is public: it contains only what everybody can see.
  const isPublished = parts.open !== undefined || parts.guest !== undefined
  const described = {
    id,
    service: 'traffic' as const,
    type: slug,
    recordType: null,
    dataspace: 'mobility',
    ...wordsOfFeed(origin),
    titleField: 'Detail.{language}.Title',
    ...report(parts, { licences }),
    sources: [origin],
    freshness: null,
    dataTypes: [],
    formats: [...(isPublished ? [datex] : []), ...formats],
    standards: isPublished ? [{ ...datexII, url: feed }, ...version3(publicUrl, slug)] : [],
    operations: [`list${view}`, ...(isPublished ? ['getSituationPublication'] : [])],
    links: {
      ...linksTo({ publicUrl, id, page: id }),
      list: events,
      versions: `${publicUrl}/v2/flat,event/${encodeURIComponent(origin)}`,
      ...(isPublished ? { feed } : {}),
    },
  }
  return { described, traces: traces(parts) }
}

const datex = { name: 'datex2', mediaType: 'application/xml' }
const datexII = { name: 'DATEX II', version: '2', mediaType: 'application/xml' }

const version3 = (publicUrl: string, slug: string) =>
  ['application/xml', 'application/json'].map((mediaType) => ({
    ...{ name: 'DATEX II', version: '3.7', mediaType },
    url: `${publicUrl}/traffic/datex/3/situation/${encodeURIComponent(slug)}`,
  }))

/** Formats of the list. */
const formats = [
  { name: 'json', mediaType: 'application/json' },
  { name: 'csv', mediaType: 'text/csv' },
  { name: 'geojson', mediaType: 'application/geo+json' },
  { name: 'ndjson', mediaType: 'application/x-ndjson' },
]
