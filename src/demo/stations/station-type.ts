import type { MeasuredValue } from '../canonical.ts'
import type { Whereabouts } from '../geography/geography.ts'
import type { Random } from '../random.ts'

/** What the values of a station depend on. */
export type Nature = {
  /** Chance of its own. */
  readonly hash: number
  /** Places, bays, seats or the like. */
  readonly capacity: number
  readonly altitude: number
  /** Longitude and latitude. */
  readonly position: readonly [number, number]
  /** Code of the parent, or an empty text. */
  readonly parent: string
}

/** One data type of a station type. */
export type SeriesSpec = {
  readonly dataType: string
  /** Seconds between two values. */
  readonly period: number
  /** For forecasts: how many seconds after its telling a value becomes valid. */
  readonly lead?: number
  /** The value at a time in ms since 1970; the same whenever it is requested. */
  readonly value: (nature: Nature, time: number) => MeasuredValue
}

export type Origin = {
  readonly name: string
  /** Whether the values of its stations are closed data. */
  readonly closed: boolean
}

type Naming = { readonly de: string; readonly it: string; readonly number: number }

export type StationType = {
  readonly name: string
  /** Stations at scale 1. */
  readonly count: number
  readonly origins: readonly Origin[]
  /** Beginning of the codes. */
  readonly prefix: string
  readonly parent?: { readonly type: string; readonly childrenPerParent: number }
  /** In a municipality, or on the road of a key; without a key on all roads. */
  readonly where: Whereabouts | { readonly road?: string }
  readonly capacity: readonly [low: number, high: number]
  readonly title: (naming: Naming) => string
  readonly metadata: (random: Random, capacity: number) => Readonly<Record<string, unknown>>
  readonly series: readonly SeriesSpec[]
}

export const open = (name: string): Origin => ({ name, closed: false })
export const closed = (name: string): Origin => ({ name, closed: true })

export const quarterHour = 900
export const halfHour = 1800
export const hourly = 3600
export const threeHourly = 10_800
export const sixHourly = 21_600
export const daily = 86_400

/** One decimal, as instruments give it. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10
}
