import type { RoomItem } from '../content/index.ts'
import type {
  DataTypeItem,
  EdgeItem,
  EventItem,
  MeasurementItem,
  Provenance,
  StationItem,
} from '../timeseries/index.ts'

/**
 * The objects that the demo pushes, in the canonical push formats. They are what every other provider
 * sends; the demo has no door of its own.
 */
export type CanonicalObject =
  | AvailabilityObject
  | ContentObject
  | StationsObject
  | DataTypesObject
  | MeasurementsObject
  | EdgesObject
  | EventsObject

/** A record of the content service. Its schema is the one of its entity. */
export type ContentItem = Readonly<Record<string, unknown>> & { readonly Id: string }

export type ContentObject = {
  readonly kind: 'content'
  readonly entity: string
  readonly items: readonly ContentItem[]
}

export type Station = Required<StationItem> & {
  readonly coordinate: readonly [number, number] | null
  readonly metadata: Readonly<Record<string, unknown>>
}

export type StationsObject = {
  readonly kind: 'stations'
  readonly stationType: string
  readonly origin: string
  readonly closed: boolean
  readonly complete: boolean
  readonly recorded: string
  readonly items: readonly Station[]
}

export type DataTypesObject = {
  readonly kind: 'dataTypes'
  readonly recorded: string
  readonly items: readonly DataTypeItem[]
}

export type MeasurementsObject = {
  readonly kind: 'measurements'
  readonly stationType: string
  /** Seconds between two values. */
  readonly period: number
  readonly provenance: Provenance
  readonly recorded: string
  readonly items: readonly MeasurementItem[]
}

export type EdgesObject = {
  readonly kind: 'edges'
  readonly edgeType: string
  readonly origin: string
  readonly items: readonly EdgeItem[]
}

/** A text per language code. */
export type Texts = Readonly<Record<string, string>>

/** One state of a traffic event; states of one `series` follow each other as versions. */
export type EventState = Required<Omit<EventItem, 'datex'>> &
  Pick<EventItem, 'datex'> & { readonly title: Texts; readonly text: Texts }

export type EventsObject = {
  readonly kind: 'events'
  readonly origin: string
  readonly closed: boolean
  readonly provenance: Provenance
  readonly recorded: string
  readonly items: readonly EventState[]
}

export type AvailabilityObject = {
  readonly kind: 'availability'
  readonly recorded: string
  readonly items: readonly RoomItem[]
}
