import type { Geometry } from 'geojson'

/** A text per language code. */
export type Texts = Readonly<Record<string, string>>

/**
 * One state of a mobility event (interface 2.5, decision D50). A series is what happens on the road;
 * each state of it, with its own uuid, is a version. Absent facts are null, never invented.
 */
export type MobilityEvent = {
  readonly uuid: string
  readonly series: string
  /** The provider, such as `PROVINCE_BZ`. */
  readonly origin: string
  readonly name: string
  readonly description: string | null
  readonly category: string | null
  /** For traffic such as `traffic-event:closure`, from the general to the specific. */
  readonly tags: readonly string[]
  readonly severity: string | null
  readonly start: Date | null
  readonly end: Date | null
  readonly cancelled: boolean
  readonly title: Texts
  readonly text: Texts
  /** GeoJSON in EPSG:4326, longitude first. */
  readonly geometry: Geometry | null
  readonly locationDescription: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** Overrides the record type and members of the DATEX II record. */
  readonly datex: Readonly<Record<string, unknown>> | null
  /** When this state was stored: the version time. */
  readonly recorded: Date
  /** When the first state of the series was stored: the creation time. */
  readonly firstRecorded: Date
  /** 1 for the first state of the series, 2 for the next … */
  readonly version: number
}
