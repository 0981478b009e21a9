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
 * An object that the demo pushes, in a canonical push format. Every other provider sends such
 * objects, too; the demo has no interface of its own.
 */
export type CanonicalObject =
  | AvailabilityObject
  | ContentObject
  | StationsObject
  | DataTypesObject
  | MeasurementsObject
  | EdgesObject
  | EventsObject

/** A record of the content service, which must match the schema of its entity. */
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

/** Texts by language code. */
export type Texts = Readonly<Record<string, string>>

/** One state of a traffic event. The states of a `series` are its successive versions. */
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
