import type { BucketLength } from './bucket-length.ts'

/** Where buckets begin by the local clock; local times are milliseconds, as if they were UTC. */
export type LocalGrid = {
  /** The last beginning at or before a local time. */
  readonly floor: (local: number) => number
  /** The beginning after one. */
  readonly next: (beginning: number) => number
}

const oneDay = 86_400_000

/** Days are counted from a Monday, so that seven of them are a week of ISO 8601. */
const firstMonday = Date.UTC(2000, 0, 3)

/**
 * Parts of a day are counted from midnight, and the last one may be shorter; days and weeks from Monday
 * 2000-01-03; months and years from the year 0, so that three months are a quarter and ten years a decade.
 */
export function localGrid(length: BucketLength): LocalGrid {
  switch (length.kind) {
    case 'clock':
      return partsOfDay(length.milliseconds)
    case 'days':
      return evenly(firstMonday, length.days * oneDay)
    case 'months':
      return {
        floor: (local) => monthStart(multiple(monthOf(local), length.months)),
        next: (beginning) => monthStart(monthOf(beginning) + length.months),
      }
  }
}

function evenly(origin: number, step: number): LocalGrid {
  return {
    floor: (local) => origin + multiple(local - origin, step),
    next: (beginning) => beginning + step,
  }
}

function partsOfDay(step: number): LocalGrid {
  const midnight = (local: number) => multiple(local, oneDay)
  return {
    floor: (local) => midnight(local) + multiple(local - midnight(local), step),
    next: (beginning) => Math.min(beginning + step, midnight(beginning) + oneDay),
  }
}

function multiple(value: number, step: number): number {
  return Math.floor(value / step) * step
}

/** Months since the year 0. */
function monthOf(local: number): number {
  const date = new Date(local)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** `Date.UTC` takes the years 0 to 99 for others. */
function monthStart(month: number): number {
  return new Date(0).setUTCFullYear(Math.floor(month / 12), month - multiple(month, 12), 1)
}
