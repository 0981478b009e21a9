import type { Codec } from '../../address/index.ts'
import type { Series } from '../series/series.ts'

/** Start and end of the visible period, in milliseconds since 1970. */
export type Window = { readonly from: number; readonly to: number }

/** The chosen period: a length until now, two times, or all values. */
export type Range =
  | { readonly kind: 'last'; readonly length: number }
  | { readonly kind: 'fixed'; readonly window: Window }
  | { readonly kind: 'all' }

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

const shortest = 2 * minute
const longest = 200 * 365 * day

/**
 * Limits that keep years at four digits, with room on both sides for requests around the window.
 */
const earliest = Date.UTC(1000, 0)
const latest = Date.UTC(9000, 0)

const units = { m: minute, h: hour, d: day, w: 7 * day, mo: 30 * day, y: 365 * day } as const
const unitNames = ['y', 'mo', 'w', 'd', 'h', 'm'] as const

/** Lengths with a button of their own. */
export const spans = ['1h', '1d', '1w', '1mo', '1y'] as const
type Span = (typeof spans)[number]

export function lengthOf(span: Span): number {
  return parseLength(span) ?? day
}

export const usualRange: Range = { kind: 'last', length: lengthOf('1w') }

/** Codec of a range: `1w`, `all`, or two times separated by a slash (ISO 8601-1, 5.5.2). */
export const rangeCodec: Codec<Range> = {
  read: ([text = '']) => parseRange(text) ?? usualRange,
  write: (range) => {
    const text = printRange(range)
    return text === printRange(usualRange) ? [] : [text]
  },
}

export function parseRange(text: string): Range | undefined {
  if (text === 'all') return { kind: 'all' }
  const length = parseLength(text)
  if (length !== undefined) return { kind: 'last', length }
  const [from = Number.NaN, to = Number.NaN] = text.split('/').map((part) => Date.parse(part))
  return from < to ? { kind: 'fixed', window: clampWindow({ from, to }) } : undefined
}

export function printRange(range: Range): string {
  if (range.kind === 'all') return 'all'
  if (range.kind === 'last') return printLength(range.length)
  const { from, to } = range.window
  return `${printMoment(from)}/${printMoment(to)}`
}

/** Limits a window to a length that can be drawn, around the same middle, and to valid dates. */
export function clampWindow({ from, to }: Window): Window {
  const length = Math.min(longest, Math.max(shortest, to - from))
  const middle = Math.round((from + to - length) / 2)
  const start = Math.min(latest - length, Math.max(earliest, middle))
  return { from: start, to: start + length }
}

/** Zooms around the time `at`. A `factor` below 1 zooms in. */
export function zoom(window: Window, factor: number, at = (window.from + window.to) / 2): Window {
  const length = window.to - window.from
  const wanted = Math.min(longest, Math.max(shortest, length * factor))
  const share = (at - window.from) / length
  const from = Math.round(at - wanted * share)
  return { from, to: Math.round(from + wanted) }
}

/** Moves the window by a fraction of its length, to the right if positive. */
export function pan({ from, to }: Window, share: number): Window {
  const distance = Math.round((to - from) * share)
  return { from: from + distance, to: to + distance }
}

function parseLength(text: string): number | undefined {
  const match = /^(\d{1,4})(m|h|d|w|mo|y)$/.exec(text)
  const unit = unitNames.find((name) => name === match?.[2])
  const length = unit === undefined ? 0 : Number(match?.[1]) * units[unit]
  return length >= shortest && length <= longest ? length : undefined
}

function printLength(length: number): string {
  const unit = unitNames.find((name) => length % units[name] === 0)
  return unit === undefined
    ? `${String(Math.max(2, Math.round(length / minute)))}m`
    : `${String(length / units[unit])}${unit}`
}

/** Formats a time to the second, which is finer than a screen can show for most windows. */
function printMoment(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`.replace(':00Z', 'Z')
}

type Known = {
  readonly now: number
  readonly series: readonly Series[]
  /** From the first to the last value; undefined while it is loading. */
  readonly extent: Window | undefined
}

/**
 * Returns the window of a range. It includes forecasts, at most as far ahead as the range is long.
 */
export function windowOf(range: Range, { now, series, extent }: Known): Window {
  if (range.kind === 'fixed') return range.window
  if (range.kind === 'all' && extent !== undefined) return extent
  const length = range.kind === 'last' ? range.length : lengthOf('1w')
  const ahead = series.map(({ latest }) => latest?.time ?? now).filter((time) => time > now)
  return { from: now - length, to: Math.min(now + length, Math.max(now, ...ahead)) }
}
