import { inLanguage, formatMeasured } from '../language/index.ts'
import { timeseries as de } from '../language/de/timeseries.ts'
import { timeseries as en } from '../language/en/timeseries.ts'
import { timeseries as it } from '../language/it/timeseries.ts'
import type { Value } from './series/series.ts'

export const words = inLanguage({ de, it, en })

/** A value with its unit, as people write it; JSON as it is. */
export function writeValue(value: Value, unit = ''): string {
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value === 'string') return value
  const number = formatMeasured(value)
  return unit === '' ? number : `${number}\u202F${unit}`
}

const units = { m: 60, h: 3600, d: 86_400 } as const

/** How long a number of seconds is, in the largest unit that fits. */
export function writeSeconds(seconds: number): string {
  const { unit, count } = inUnits(seconds)
  return words().shown.lengths[unit](count)
}

/** How often something comes: every so many seconds. */
export function writeEvery(seconds: number): string {
  const { unit, count } = inUnits(seconds)
  return words().shown.everies[unit](count)
}

function inUnits(seconds: number): { readonly unit: keyof typeof units; readonly count: number } {
  const isDays = seconds >= 2 * units.d || (seconds > 0 && seconds % units.d === 0)
  const isHours = seconds >= 2 * units.h || seconds === units.h
  const unit = isDays ? 'd' : isHours ? 'h' : 'm'
  return { unit, count: Math.max(1, Math.round(seconds / units[unit])) }
}

/** The length of a bucket such as `15m`, as people say it. */
export function writeBucket(bucket: string): string {
  const match = /^(\d+)(mo|m|h|d|w|y)$/.exec(bucket)
  const count = Number(match?.[1] ?? 1)
  const said = words().shown.lengths
  switch (match?.[2]) {
    case 'm':
      return said.m(count)
    case 'h':
      return said.h(count)
    case 'w':
      return said.w(count)
    case 'mo':
      return said.mo(count)
    case 'y':
      return said.y(count)
    default:
      return said.d(count)
  }
}
