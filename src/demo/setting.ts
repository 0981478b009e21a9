import type { toNaming } from '../content/index.ts'
import type { Geography } from './geography/geography.ts'
import { randomOf } from './random.ts'
import type { Key, Random } from './random.ts'

/** What every part of the region is made from. */
export type Setting = {
  readonly seed: string
  readonly scale: number
  /** End of the loaded history, in ms since 1970. */
  readonly until: number
  readonly naming: ReturnType<typeof toNaming>
  /** Address of the hub, without a slash at the end. */
  readonly publicUrl: string
  readonly geography: Geography
}

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** Days of history that the demo begins with. */
export const historyDays = 30

/** A span of time. */
export type Span = {
  /** Excluded, ms since 1970. */
  readonly from: number
  /** Included. */
  readonly to: number
}

/** The generator of one thing of the region. */
export function drawFor({ seed }: Pick<Setting, 'seed'>, ...key: readonly Key[]): Random {
  return randomOf(seed, ...key)
}

/** The identifier of one thing: 32 hexadecimal digits in upper case, as most sources write them. */
export function idOf(setting: Pick<Setting, 'seed'>, kind: string, key: Key): string {
  return drawFor(setting, 'id', kind, key).hex(32).toUpperCase()
}

/** The year in which the history ends. */
export function yearOf({ until }: Pick<Setting, 'until'>): number {
  return new Date(until).getUTCFullYear()
}

/** The start of the day (UTC) on which the history ends, in ms since 1970. */
export function lastMidnight({ until }: Pick<Setting, 'until'>): number {
  return Math.floor(until / day) * day
}

/** A date and time as most content sources write it: without a zone. */
export function dateTimeOf(milliseconds: number): string {
  return isoOf(milliseconds).slice(0, 19)
}

/** A moment as canonical formats write it. */
export function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
