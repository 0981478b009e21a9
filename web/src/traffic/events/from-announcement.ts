import { toKinds, toSeverity } from './event.ts'
import type { Geometry, Texts, TrafficEvent } from './event.ts'
import { roadOf } from './from-feed.ts'

/** An announcement of the content service, as far as the view reads it. */
export type Announcement = {
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

/** The members of `Announcement`, for `fields`. */
export const announcementFields = [
  ...['Id', 'Source', 'Active', 'StartTime', 'EndTime', 'LastChange', 'TagIds', 'Detail'],
  ...['_Meta.UpdateInfo.Revision', 'AdditionalProperties.MobilityEvent'],
].join(',')

/** The event that an announcement tells of; GeoJSON has its whole shape. */
export function fromAnnouncement(record: Announcement, geometry: Geometry | null): TrafficEvent {
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
