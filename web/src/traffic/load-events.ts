import { readJson, loadCatalogue } from '../api/index.ts'
import type { DescribedRequest } from '../request/index.ts'
import type { Geometry, TrafficEvent, Texts } from './events/event.ts'
import type { Span } from './span.ts'
import { language } from '../language/index.ts'
import { textIn, toKinds, toSeverity } from './events/event.ts'
import type { Dataset } from '../api/index.ts'
import { roadOf } from './following/read-feed.ts'

type Features = {
  readonly features: readonly {
    readonly properties: Announcement
    readonly geometry: Geometry | null
  }[]
}

/** Builds the request for all events of a span of time, including past and future ones. */
export function requestOf(providers: readonly Provider[], { from, to }: Span): DescribedRequest {
  const query = {
    source: providers.flatMap(({ sources }) => sources).join(','),
    begin: new Date(from).toISOString(),
    end: new Date(to).toISOString(),
    ...{ format: 'geojson', stream: true, fields: announcementFields },
  }
  return { path: '/v1/Announcement', query }
}

export async function loadEvents(
  request: DescribedRequest,
  signal: AbortSignal,
): Promise<readonly TrafficEvent[]> {
  const { features } = await readJson<Features>(request.path, request.query, signal)
  return features.map(({ properties, geometry }) => fromAnnouncement(properties, geometry))
}

type Tags = {
  readonly Items: readonly { readonly Id: string; readonly TagName: Texts | null }[]
}

/** Names of event kinds by tag. */
type KindNames = ReadonlyMap<string, Texts>

export async function loadKinds(signal: AbortSignal): Promise<KindNames> {
  const query = { validforentity: 'announcement', fields: 'Id,TagName', pagesize: 1000 }
  const { Items } = await readJson<Tags>('/v1/Tag', query, signal)
  return new Map(Items.map(({ Id, TagName }) => [Id.replace(/^traffic-event:/, ''), TagName ?? {}]))
}

/**
 * Returns the name of a kind in the language of the page. A kind without a name is derived from its
 * tag.
 */
export function nameOf(kind: string, names: KindNames | undefined): string {
  const named = textIn(names?.get(kind) ?? {}, language.current)
  if (named !== '') return named
  const words = kind.replaceAll(/[-_:]+/g, ' ').trim()
  return words === '' ? '–' : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/**
 * A provider of traffic events: its name in URLs, and its sources in the records of the content
 * service.
 */
export type Provider = Pick<Dataset, 'standards'> & {
  readonly slug: string
  readonly sources: readonly string[]
}

/** Loads all providers, or the one in the URL. */
export async function loadProviders(
  slug: string | undefined,
  signal: AbortSignal,
): Promise<readonly Provider[]> {
  const datasets =
    slug === undefined
      ? (await loadCatalogue(signal)).datasets
      : [await readJson<Dataset>(`/catalogue/traffic/${encodeURIComponent(slug)}`, {}, signal)]
  return datasets
    .filter(({ service }) => service === 'traffic')
    .map(({ type, sources, standards }) => ({ slug: type, sources, standards }))
}

/** The fields of an announcement that the view reads. */
type Announcement = {
  readonly Id: string
  readonly Source: string
  readonly Active: boolean
  readonly StartTime: string
  readonly EndTime: string | null
  readonly LastChange: string
  readonly TagIds: readonly string[] | null
  readonly '_Meta.UpdateInfo.Revision': number | null
  readonly Detail: Readonly<
    Record<string, { readonly Title?: string | null; readonly BaseText?: string | null } | null>
  > | null
  readonly 'AdditionalProperties.MobilityEvent': {
    readonly Datex?: { readonly type?: string } | null
    readonly Severity?: string | null
    readonly Cancelled?: boolean
    readonly LocationDescription?: string | null
    readonly Metadata?: Readonly<Record<string, unknown>> | null
  } | null
}

/** Fields of `Announcement` as the value of `fields`. */
const announcementFields = [
  ...['Id', 'Source', 'Active', 'StartTime', 'EndTime', 'LastChange', 'TagIds', 'Detail'],
  ...['_Meta.UpdateInfo.Revision', 'AdditionalProperties.MobilityEvent'],
].join(',')

/** Converts an announcement to an event. The complete geometry comes from GeoJSON. */
function fromAnnouncement(record: Announcement, geometry: Geometry | null): TrafficEvent {
  const told = record['AdditionalProperties.MobilityEvent']
  return {
    id: record.Id,
    origin: record.Source,
    kinds: toKinds(record.TagIds ?? []),
    type: told?.Datex?.type,
    severity: toSeverity(told?.Severity),
    road: roadOf(told?.Metadata),
    start: Date.parse(record.StartTime),
    end: record.EndTime === null ? undefined : Date.parse(record.EndTime),
    isCancelled: told?.Cancelled === true,
    version: record['_Meta.UpdateInfo.Revision'] ?? 1,
    recorded: Date.parse(record.LastChange),
    title: textsOf(record, 'Title'),
    text: textsOf(record, 'BaseText'),
    place: told?.LocationDescription ?? undefined,
    geometry: geometry ?? undefined,
  }
}

function textsOf({ Detail }: Announcement, member: 'Title' | 'BaseText'): Texts {
  return Object.fromEntries(
    Object.entries(Detail ?? {}).map(([language, detail]) => [language, detail?.[member]]),
  )
}
