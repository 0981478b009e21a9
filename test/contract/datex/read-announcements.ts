import { readFileSync } from 'node:fs'
import type { Geometry, Position } from 'geojson'
import { anEvent } from './an-event.ts'
import type { MobilityEvent, Texts } from '../../../src/timeseries/index.ts'

/**
 * An announcement as the public system's collectors write it (CC0 samples), reduced to the fields
 * used here.
 */
type Announcement = {
  readonly Id: string
  readonly Mapping: Readonly<Record<string, { readonly Id: string }>>
  readonly TagIds: readonly string[]
  readonly StartTime?: string
  readonly EndTime?: string
  readonly Geo?: { readonly position?: { readonly Geometry?: string } }
  readonly Detail: Readonly<Record<string, { readonly Title?: string; readonly BaseText?: string }>>
}

type Sample = { readonly putMultiples: readonly { readonly payload: readonly Announcement[] }[] }

/**
 * Converts real announcements to mobility events, each in its first version, on the day of the
 * sample.
 */
export function readAnnouncements(file: URL): readonly MobilityEvent[] {
  const sample: Sample = JSON.parse(readFileSync(file, 'utf8'))
  return sample.putMultiples.flatMap(({ payload }) => payload).map(toEvent)
}

function toEvent(announcement: Announcement): MobilityEvent {
  const { Id, Mapping, TagIds, StartTime, EndTime, Geo, Detail } = announcement
  const recorded = new Date('2026-01-15T10:00:00Z')
  const wkt = Geo?.position?.Geometry
  return anEvent({
    series: Id,
    name: Object.values(Mapping)[0]?.Id ?? '',
    tags: TagIds,
    start: StartTime === undefined ? null : new Date(StartTime),
    end: EndTime === undefined ? null : new Date(EndTime),
    title: pick(Detail, 'Title'),
    text: pick(Detail, 'BaseText'),
    geometry: wkt === undefined ? null : parseWkt(wkt),
    recorded,
    firstRecorded: recorded,
  })
}

function pick(details: Announcement['Detail'], member: 'Title' | 'BaseText'): Texts {
  const said = Object.entries(details).map(
    ([language, detail]) => [language, detail[member] ?? ''] as const,
  )
  return Object.fromEntries(said)
}

/** Parses the two kinds of geometry that the samples use. */
function parseWkt(wkt: string): Geometry {
  const [, kind = '', list = ''] = /^(POINT|LINESTRING) \((.*)\)$/.exec(wkt) ?? []
  const coordinates: Position[] = list.split(', ').map((pair) => pair.split(' ').map(Number))
  if (kind === 'LINESTRING') return { type: 'LineString', coordinates }
  return { type: 'Point', coordinates: coordinates[0] ?? [] }
}
