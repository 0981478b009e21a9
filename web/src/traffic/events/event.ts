import type { Language } from '../../language/index.ts'

/** Texts by language, as in the hub's responses. */
export type Texts = Readonly<Record<string, string | null | undefined>>

type Position = readonly number[]

/** The GeoJSON geometries that the hub returns (RFC 7946, section 3.1). */
export type Geometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'LineString' | 'MultiPoint'; readonly coordinates: readonly Position[] }
  | {
      readonly type: 'Polygon' | 'MultiLineString'
      readonly coordinates: readonly (readonly Position[])[]
    }
  | {
      readonly type: 'MultiPolygon'
      readonly coordinates: readonly (readonly (readonly Position[])[])[]
    }

/** Severities, the highest first; `unknown` if not stated. */
export const severities = ['highest', 'high', 'medium', 'low', 'lowest', 'none', 'unknown'] as const

export type Severity = (typeof severities)[number]

/** A road event, from either API of the hub. */
export type TrafficEvent = {
  /** Shared by all versions of the event. */
  readonly id: string
  readonly origin: string
  /** Tags without their prefix, such as `closure`. */
  readonly kinds: readonly string[]
  /** Type of the DATEX II record, if known. */
  readonly type: string | undefined
  readonly severity: Severity
  readonly road: string | undefined
  readonly start: number
  readonly end: number | undefined
  readonly isCancelled: boolean
  /**
   * Whether an event without an end has disappeared from its provider's feed, so that its end is
   * unknown.
   */
  readonly hasLeft?: boolean
  readonly version: number
  /** When this version was written. */
  readonly recorded: number
  readonly title: Texts
  readonly text: Texts
  readonly place: string | undefined
  readonly geometry: Geometry | undefined
}

/** Returns the text in a language, or else in any other. */
export function textIn(texts: Texts, language: Language): string {
  const others = Object.values(texts)
  return [texts[language], texts['en'], texts['de'], ...others].find((text) => isTold(text)) ?? ''
}

/** Returns the title of an event, or else its kinds, or else its id. */
export function titleOf(
  { title, kinds, id }: TrafficEvent,
  kindName: (kind: string) => string,
  language: Language,
): string {
  return textIn(title, language) || kinds.map(kindName).join(', ') || id
}

/**
 * Returns the language of the text that `textIn` returns, for screen readers; undefined if it is
 * the requested one.
 */
export function languageOf(texts: Texts, language: Language): string | undefined {
  const text = textIn(texts, language)
  if (text === '' || texts[language] === text) return undefined
  return Object.keys(texts).find((name) => texts[name] === text)
}

export function toSeverity(text: unknown): Severity {
  return severities.find((one) => one === text) ?? 'unknown'
}

/**
 * Removes prefixes: `traffic-event:closure` becomes `closure`. The tag that all road announcements
 * share is dropped.
 */
export function toKinds(tags: readonly string[]): readonly string[] {
  return tags
    .filter((tag) => tag !== 'announcement:traffic-event')
    .map((tag) => tag.replace(/^traffic-event:/, ''))
}

/** Tags that describe where or when an event is, rather than what it is. */
const untold: ReadonlySet<string> = new Set(['current', 'mountain-pass'])

/**
 * Returns the main kind of an event. Tags are ordered from general to specific, so it is the last
 * one.
 */
export function kindOf({ kinds }: Pick<TrafficEvent, 'kinds'>): string | undefined {
  return kinds.findLast((kind) => !untold.has(kind)) ?? kinds[0]
}

function isTold(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== ''
}

type Place = { readonly latitude: number; readonly longitude: number }

/** Returns the first position of a geometry. */
export function firstPosition(geometry: Geometry): Place | undefined {
  const [longitude, latitude] = firstOf(geometry) ?? []
  return longitude === undefined || latitude === undefined ? undefined : { latitude, longitude }
}

function firstOf(geometry: Geometry): Position | undefined {
  switch (geometry.type) {
    case 'Point':
      return geometry.coordinates
    case 'LineString':
    case 'MultiPoint':
      return geometry.coordinates[0]
    case 'Polygon':
    case 'MultiLineString':
      return geometry.coordinates[0]?.[0]
    case 'MultiPolygon':
      return geometry.coordinates[0]?.[0]?.[0]
  }
}
