import type { toNaming } from '../content/index.ts'
import type { Geography } from './geography/geography.ts'
import { randomOf } from './random.ts'
import type { Key, Random } from './random.ts'

/** The settings from which every part of the region is generated. */
export type Setting = {
  readonly seed: string
  readonly scale: number
  /** End of the stored history, in ms since 1970. */
  readonly until: number
  readonly naming: ReturnType<typeof toNaming>
  /** URL of the hub, without a trailing slash. */
  readonly publicUrl: string
  readonly geography: Geography
}

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** Length of the history with which the demo starts, in days. */
export const historyDays = 30

/** A span of time. */
export type Span = {
  /** Exclusive start, in ms since 1970. */
  readonly from: number
  /** Inclusive end, in ms since 1970. */
  readonly to: number
}

/** Returns the random generator of one object of the region. */
export function drawFor({ seed }: Pick<Setting, 'seed'>, ...key: readonly Key[]): Random {
  return randomOf(seed, ...key)
}

/** Returns the identifier of an object: 32 upper-case hexadecimal digits, as in most sources. */
export function idOf(setting: Pick<Setting, 'seed'>, kind: string, key: Key): string {
  return drawFor(setting, 'id', kind, key).hex(32).toUpperCase()
}

/** Returns the year in which the history ends. */
export function yearOf({ until }: Pick<Setting, 'until'>): number {
  return new Date(until).getUTCFullYear()
}

/** Returns the start of the day (UTC) on which the history ends, in ms since 1970. */
export function lastMidnight({ until }: Pick<Setting, 'until'>): number {
  return Math.floor(until / day) * day
}

/** Formats a date and time without a zone, as most content sources do. */
export function dateTimeOf(milliseconds: number): string {
  return isoOf(milliseconds).slice(0, 19)
}

/** Formats a time as canonical formats require. */
export function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
