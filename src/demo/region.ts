import type {
  AvailabilityObject,
  CanonicalObject,
  ContentObject,
  DataTypesObject,
  EdgesObject,
  EventsObject,
  MeasurementsObject,
  StationsObject,
} from './canonical.ts'
import { availabilityOf, availabilityTotal } from './content/availability.ts'
import { collectionsOf, contentOf, roomsOf, total } from './content/content.ts'
import { layOut } from './geography/geography.ts'
import { arrivalsIn, countArrivals, historySpans } from './measurements/arrivals.ts'
import { day, historyDays, isoOf } from './setting.ts'
import type { Setting, Span } from './setting.ts'
import { dataTypes } from './stations/data-types.ts'
import { edgesOf, edgeTotal } from './stations/edges.ts'
import { stationsOf, stationTotal } from './stations/stations.ts'
import { countEvents, eventsIn } from './traffic/traffic-events.ts'

export type RegionPlan = {
  /** Another seed is another region. */
  readonly seed: number | string
  /** 1 is 3,000 records, 1,000 stations and a million values; n is n times as much. */
  readonly scale: number
  /** The end of the history. */
  readonly until: Date
  readonly naming: Setting['naming']
  /** Address of the hub, which serves the pictures at `/demo/images/{key}.svg`. */
  readonly publicUrl: string
}

/**
 * How many items the objects of each kind hold together. Events and measurements are counted when they
 * are asked for: that takes a third of a second for a million values.
 */
export type RegionSize = {
  readonly content: number
  readonly availability: number
  readonly dataTypes: number
  readonly stations: number
  readonly edges: number
  readonly events: number
  readonly measurements: number
}

/**
 * A region that does not exist. Everything is made while it is read, so it needs little memory at any
 * scale, and follows from the plan alone: no clock, no chance.
 */
export type Region = {
  readonly size: RegionSize
  readonly content: () => Iterable<ContentObject>
  /** What is free in the next 60 days. */
  readonly availability: () => Iterable<AvailabilityObject>
  readonly dataTypes: () => Iterable<DataTypesObject>
  /** Parents before children. */
  readonly stations: () => Iterable<StationsObject>
  /** After the stations that they connect. */
  readonly edges: () => Iterable<EdgesObject>
  /** All states of the last 30 days, the oldest first within an origin. */
  readonly events: () => Iterable<EventsObject>
  /** The last 30 days, the newest first, so that latest values are right at once. */
  readonly measurements: () => Iterable<MeasurementsObject>
  /**
   * What happens after `from` until `to`, both included in the history's own time: new values, late
   * ones too, and changes of events. Spans that follow each other miss and repeat nothing, and the
   * first one begins at `until`.
   */
  readonly live: (from: Date, to: Date) => Iterable<CanonicalObject>
}

/** Plans the synthetic region. */
export function planRegion(plan: RegionPlan): Region {
  const setting = toSetting(plan)
  const history = { from: setting.until - historyDays * day, to: setting.until }
  return {
    size: {
      content: total(collectionsOf(setting)),
      availability: availabilityTotal(roomsOf(setting)),
      dataTypes: dataTypes.length,
      stations: stationTotal(setting),
      edges: edgeTotal(setting),
      get events() {
        return countEvents(setting, history)
      },
      get measurements() {
        return countArrivals(setting, history)
      },
    },
    content: () => contentOf(setting),
    availability: () => availabilityOf(setting, roomsOf(setting)),
    dataTypes: () => [{ kind: 'dataTypes', recorded: isoOf(setting.until), items: dataTypes }],
    stations: () => stationsOf(setting),
    edges: () => edgesOf(setting),
    events: () => eventsIn(setting, history),
    measurements: () => historyOf(setting),
    live: (from, to) => lifeOf(setting, { from: from.getTime(), to: to.getTime() }),
  }
}

function toSetting({ seed, scale, until, naming, publicUrl }: RegionPlan): Setting {
  return {
    seed: String(seed),
    scale,
    until: until.getTime(),
    naming,
    publicUrl: publicUrl.replace(/\/+$/, ''),
    geography: layOut(String(seed)),
  }
}

function* historyOf(setting: Setting): Generator<MeasurementsObject> {
  for (const span of historySpans(setting)) yield* arrivalsIn(setting, span)
}

function* lifeOf(setting: Setting, span: Span): Generator<CanonicalObject> {
  yield* eventsIn(setting, span)
  yield* arrivalsIn(setting, span)
}
