import type { Language } from '../../language/index.ts'

/** Texts by language, as the hub has them. */
export type Texts = Readonly<Record<string, string | null | undefined>>

type Position = readonly number[]

/** What the hub has of GeoJSON geometries (RFC 7946, section 3.1). */
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

/** From the worst to the least; `unknown` where nobody says. */
export const severities = ['highest', 'high', 'medium', 'low', 'lowest', 'none', 'unknown'] as const

export type Severity = (typeof severities)[number]

/** An event on the road, whichever door of the hub it came out of. */
export type TrafficEvent = {
  /** Of the series of states: the same for every version. */
  readonly id: string
  readonly origin: string
  /** Tags without their prefix, such as `closure`. */
  readonly kinds: readonly string[]
  /** Type of the DATEX II record, where it is known. */
  readonly type: string | undefined
  readonly severity: Severity
  readonly road: string | undefined
  readonly start: number
  readonly end: number | undefined
  readonly isCancelled: boolean
  /** It has no end, and its provider's feed has it no more: nobody knows when it ended. */
  readonly hasLeft?: boolean
  readonly version: number
  /** When this version was written. */
  readonly recorded: number
  readonly title: Texts
  readonly text: Texts
  readonly place: string | undefined
  readonly geometry: Geometry | undefined
}

/** The text in a language, else in any. */
export function textIn(texts: Texts, language: Language): string {
  const others = Object.values(texts)
  return [texts[language], texts['en'], texts['de'], ...others].find((text) => isTold(text)) ?? ''
}

/** What an event is called: its title, else its kinds, else its id. */
export function titleOf(
  { title, kinds, id }: TrafficEvent,
  kindName: (kind: string) => string,
  language: Language,
): string {
  return textIn(title, language) || kinds.map(kindName).join(', ') || id
}

/** In which language `textIn` answers, for those who read aloud; undefined where it is the wanted one. */
export function languageOf(texts: Texts, language: Language): string | undefined {
  const text = textIn(texts, language)
  if (text === '' || texts[language] === text) return undefined
  return Object.keys(texts).find((name) => texts[name] === text)
}

export function toSeverity(text: unknown): Severity {
  return severities.find((one) => one === text) ?? 'unknown'
}

/** `traffic-event:closure` is a closure; what every announcement of the road has says nothing. */
export function toKinds(tags: readonly string[]): readonly string[] {
  return tags
    .filter((tag) => tag !== 'announcement:traffic-event')
    .map((tag) => tag.replace(/^traffic-event:/, ''))
}

/** Tags of real events that are about where and when they are. */
const untold: ReadonlySet<string> = new Set(['current', 'mountain-pass'])

/** What an event is above all: tags run from the general to the specific. */
export function kindOf({ kinds }: Pick<TrafficEvent, 'kinds'>): string | undefined {
  return kinds.findLast((kind) => !untold.has(kind)) ?? kinds[0]
}

function isTold(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== ''
}

type Place = { readonly latitude: number; readonly longitude: number }

/** Where a shape begins. */
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
