import type { MeasurementsObject } from './canonical.ts'
import type { MeasurementItem, Provenance } from '../timeseries/index.ts'
import { noise } from './random.ts'
import { day, historyDays, hour, isoOf, minute } from './setting.ts'
import type { Setting, Span } from './setting.ts'
import { stationTypes } from './stations/station-type.ts'
import type { SeriesSpec, StationType } from './stations/station-type.ts'
import { codeOf, countOf, natureOf, stationHash } from './stations/stations.ts'

/**
 * The values that arrive in a span of time. History is generated day by day and live data minute by
 * minute, by the same function. So they match, whatever moment divides them.
 */

const itemsPerMessage = 10_000
/** Upper limit of the values that one station sends in a day. */
const dailyRoom = 1000

const maxDelay = 3 * hour
/** Shares of the values that never arrive, and that arrive immediately or never. */
const lost = 0.004
const punctual = 0.985

const provenance = (type: StationType): Provenance => ({
  name: 'hub-demo',
  version: '1.0.0',
  lineage: type.origins[0]?.name ?? 'demo',
})

/** Series of one type that share a period, because a message has only one period. */
type Group = {
  readonly type: StationType
  readonly period: number
  readonly series: readonly SeriesSpec[]
}

const groups: readonly Group[] = stationTypes.flatMap((type) =>
  [...new Set(type.series.map(({ period }) => period))].map((period) => ({
    type,
    period,
    series: type.series.filter((spec) => spec.period === period),
  })),
)

/** Days before the end of the history at which it is cut into spans. */
const cuts = [0, 1, 5, 10, 15, 20, 25, historyDays]

/**
 * Returns the history as spans, the newest first: the last day by itself, so that the latest values
 * are correct as soon as possible, then several days at a time, because many values of a series are
 * stored faster together.
 */
export function historySpans({ until }: Setting): readonly Span[] {
  return cuts.slice(1).map((cut, index) => ({
    from: until - cut * day,
    to: until - (cuts[index] ?? 0) * day,
  }))
}

/** Generates all values that arrive in a span, as canonical objects. */
export function* arrivalsIn(setting: Setting, span: Span): Generator<MeasurementsObject> {
  const room = dailyRoom * Math.ceil((span.to - span.from) / day)
  for (const group of groups) {
    const { type, period } = group
    const head = { stationType: type.name, period, provenance: provenance(type) }
    let items: MeasurementItem[] = []
    for (let index = 0; index < countOf(setting, type); index++) {
      gather(group, items, { setting, index, span })
      if (items.length <= itemsPerMessage - room) continue
      yield { kind: 'measurements', ...head, recorded: isoOf(span.to), items }
      items = []
    }
    if (items.length > 0) {
      yield { kind: 'measurements', ...head, recorded: isoOf(span.to), items }
    }
  }
}

/** Returns the number of values that arrive in a span. */
export function countArrivals(setting: Setting, span: Span): number {
  let count = 0
  for (const group of groups) {
    for (let index = 0; index < countOf(setting, group.type); index++) {
      const hash = stationHash(setting, group.type, index)
      group.series.forEach((spec, position) => {
        forEachArrival({ hash, position, spec }, span, () => (count += 1))
      })
    }
  }
  return count
}

type Station = { readonly setting: Setting; readonly index: number; readonly span: Span }

function gather(group: Group, items: MeasurementItem[], { setting, index, span }: Station): void {
  const nature = natureOf(setting, group.type, index)
  const code = codeOf(group.type, index)
  group.series.forEach((spec, position) => {
    forEachArrival({ hash: nature.hash, position, spec }, span, (time) => {
      items.push([code, spec.dataType, isoText(time), spec.value(nature, time)])
    })
  })
}

type Channel = {
  /** Hash of the station. */
  readonly hash: number
  /** Index of the series among those of the station. */
  readonly position: number
  readonly spec: SeriesSpec
}

/** Calls a function with the valid time of each value of a series that arrives in a span. */
function forEachArrival(
  { hash, position, spec }: Channel,
  span: Span,
  call: (time: number) => void,
): void {
  const chance = hash + position * 7919
  const step = spec.period * 1000
  const lead = (spec.lead ?? 0) * 1000
  const phase = lead > 0 ? 0 : phaseOf(hash, step)
  const last = Math.floor((span.to - phase) / step)
  // Values measured earlier may arrive late.
  for (let n = Math.floor((span.from - maxDelay - phase) / step) + 1; n <= last; n++) {
    const time = n * step + phase
    if (arrives(chance, { n, time, span })) call(time + lead)
  }
}

/**
 * Returns the offset at which a station measures. It differs between stations, so that new values
 * arrive every minute.
 */
function phaseOf(hash: number, step: number): number {
  return Math.floor(noise(hash, 0x2f) * (Math.min(step, hour) / minute)) * minute
}

type Arrival = { readonly n: number; readonly time: number; readonly span: Span }

/** Reports whether a value arrives in the span. Most arrive immediately, a few late, some never. */
function arrives(hash: number, { n, time, span }: Arrival): boolean {
  const fate = noise(hash ^ 0x51ed270b, n)
  if (fate < lost || isSilent(hash, time)) return false
  const arrival = fate > punctual ? time + delayOf(fate) : time
  return arrival > span.from && arrival <= span.to
}

/** Returns how late a value arrives, in milliseconds: the higher its random number, the later. */
function delayOf(fate: number): number {
  return Math.ceil(((fate - punctual) / (1 - punctual)) * (maxDelay / minute)) * minute
}

/** Reports whether a series is silent. On one day in 25 it is, for five hours. */
function isSilent(hash: number, time: number): boolean {
  const today = Math.floor(time / day)
  const fate = noise(hash ^ 0x3c6ef372, today) * 25
  if (fate > 1) return false
  const begin = today * day + fate * 19 * hour
  return time >= begin && time < begin + 5 * hour
}

const isoByTime = new Map<number, string>()

/** Returns an ISO time from a cache, because thousands of series share their times. */
function isoText(time: number): string {
  const known = isoByTime.get(time)
  if (known !== undefined) return known
  if (isoByTime.size > 10_000) isoByTime.clear()
  const text = isoOf(time)
  isoByTime.set(time, text)
  return text
}
