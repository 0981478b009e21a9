import type { Geometry } from 'geojson'

/**
 * The objects that the demo pushes, in the canonical push formats. They are what every other provider
 * sends; the demo has no door of its own.
 */

/** A record of the content service. Its schema is the one of its entity. */
export type ContentItem = Readonly<Record<string, unknown>> & { readonly Id: string }

export type ContentObject = {
  readonly kind: 'content'
  readonly entity: string
  readonly items: readonly ContentItem[]
}

export type StationReference = { readonly type: string; readonly code: string }

export type StationItem = {
  readonly code: string
  readonly name: string
  /** Longitude first, EPSG:4326. */
  readonly coordinate: readonly [number, number] | null
  readonly srid: 4326
  readonly active: boolean
  readonly available: boolean
  readonly parent: StationReference | null
  readonly metadata: Readonly<Record<string, unknown>>
}

export type StationsObject = {
  readonly kind: 'stations'
  readonly stationType: string
  readonly origin: string
  readonly closed: boolean
  readonly complete: boolean
  readonly recorded: string
  readonly items: readonly StationItem[]
}

export type DataTypeItem = {
  readonly name: string
  readonly unit: string
  readonly type: string
  readonly description: string
  readonly metadata: Readonly<Record<string, unknown>>
}

export type DataTypesObject = {
  readonly kind: 'dataTypes'
  readonly recorded: string
  readonly items: readonly DataTypeItem[]
}

export type Provenance = {
  readonly name: string
  readonly version: string
  readonly lineage: string
}

export type MeasuredValue = number | string | Readonly<Record<string, unknown>>

/** Station code, data type, valid time, value. */
export type MeasurementItem = readonly [string, string, string, MeasuredValue]

export type MeasurementsObject = {
  readonly kind: 'measurements'
  readonly stationType: string
  /** Seconds between two values. */
  readonly period: number
  readonly provenance: Provenance
  readonly recorded: string
  readonly items: readonly MeasurementItem[]
}

export type EdgeItem = {
  readonly code: string
  readonly name: string
  readonly from: StationReference
  readonly to: StationReference
  readonly directed: boolean
  readonly geometry: Geometry
  readonly active: boolean
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
export type EventItem = {
  readonly uuid: string
  readonly series: string
  readonly name: string
  readonly description: string | null
  readonly category: string
  readonly tags: readonly string[]
  readonly severity: string | null
  readonly start: string | null
  readonly end: string | null
  readonly cancelled: boolean
  readonly title: Texts
  readonly text: Texts
  readonly geometry: Geometry
  readonly locationDescription: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly datex?: Readonly<Record<string, unknown>>
}

export type EventsObject = {
  readonly kind: 'events'
  readonly origin: string
  readonly closed: boolean
  readonly provenance: Provenance
  readonly recorded: string
  readonly items: readonly EventItem[]
}

export type AvailabilityPlan = {
  readonly plan: string
  readonly channel: 'hgv' | 'lts'
  readonly board: 'ws' | 'bb' | 'hb'
  readonly per: 'guest' | 'room'
  /** Euros a night. */
  readonly price: number
  /** Guests up to an age pay so many percent. */
  readonly children?: readonly { readonly age: number; readonly percent: number }[]
}

/** Days as yyyy-MM-dd, both included. */
export type AvailabilityNights = {
  readonly from: string
  readonly to: string
  readonly free: number
  readonly minStay?: number
  readonly prices?: Readonly<Record<string, number>>
}

export type AvailabilityItem = {
  readonly accommodation: string
  readonly room: string
  readonly type: 1 | 2
  readonly minGuests: number
  readonly stdGuests: number
  readonly maxGuests: number
  readonly title: Texts
  readonly plans: readonly AvailabilityPlan[]
  readonly nights: readonly AvailabilityNights[]
}

export type AvailabilityObject = {
  readonly kind: 'availability'
  readonly recorded: string
  readonly items: readonly AvailabilityItem[]
}

export type CanonicalObject =
  | AvailabilityObject
  | ContentObject
  | StationsObject
  | DataTypesObject
  | MeasurementsObject
  | EdgesObject
  | EventsObject
