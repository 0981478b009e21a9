import { Type } from 'typebox'
import { readYaml } from '../lang/read-yaml.ts'
import { arrivalsIn, countArrivals, historySpans } from './arrivals.ts'
import type {
  AvailabilityObject,
  CanonicalObject,
  ContentItem,
  ContentObject,
  DataTypesObject,
  EdgesObject,
  EventsObject,
  MeasurementsObject,
  StationsObject,
} from './canonical.ts'
import type { DataTypeItem, EdgeItem } from '../timeseries/index.ts'
import {
  accommodations,
  availabilityOf,
  availabilityTotal,
  rooms,
} from './content/accommodations.ts'
import { activityPois } from './content/activity-pois.ts'
import { articles, webcams, wineAwards, skiAreas, skiRegions } from './content/articles.ts'
import { events, eventShorts, venues } from './content/events.ts'
import { publishers, sources, tags } from './content/record.ts'
import type { Collection } from './content/record.ts'
import {
  areas,
  districts,
  experienceAreas,
  geoShapes,
  metaRegions,
  municipalities,
  regions,
  tourismAssociations,
} from './content/regions.ts'
import {
  measuringpoints,
  weatherBulletins,
  weatherDistricts,
  weatherForecasts,
  weatherRealtimes,
} from './content/weather.ts'
import { layOut } from './geography/geography.ts'
import { lineAlong, roads } from './geography/roads.ts'
import { at } from './random.ts'
import { day, historyDays, isoOf } from './setting.ts'
import type { Setting, Span } from './setting.ts'
import { stationTypes } from './stations/station-type.ts'
import type { StationType } from './stations/station-type.ts'
import { codeOf, countOf, roadShare, stationsOf, stationTotal } from './stations/stations.ts'
import { countEvents, eventsIn } from './traffic-events.ts'

export type RegionPlan = {
  /** Different seeds yield different regions. */
  readonly seed: number | string
  /** 1 yields 3,000 records, 1,000 stations and a million values; n yields n times as many. */
  readonly scale: number
  readonly until: Date
  readonly naming: Setting['naming']
  /** URL of the hub, which serves the pictures at `/demo/images/{key}.svg`. */
  readonly publicUrl: string
}

/**
 * Total number of items in the objects of each kind. Events and measurements are counted on access,
 * which takes a third of a second for a million values.
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
 * A region that does not exist. Everything is generated while it is read, so it needs little memory
 * at any scale. It depends only on the plan, not on the clock or on chance.
 */
export type Region = {
  readonly size: RegionSize
  readonly content: () => Iterable<ContentObject>
  /** Generates the availability in the next 60 days. */
  readonly availability: () => Iterable<AvailabilityObject>
  readonly dataTypes: () => Iterable<DataTypesObject>
  /** Generates stations, parents before their children. */
  readonly stations: () => Iterable<StationsObject>
  /** Generates edges, which must be stored after the stations that they connect. */
  readonly edges: () => Iterable<EdgesObject>
  /** Generates all states of the last 30 days, the oldest first within an origin. */
  readonly events: () => Iterable<EventsObject>
  /**
   * Generates the values of the last 30 days, the newest first, so that latest values are correct
   * at once.
   */
  readonly measurements: () => Iterable<MeasurementsObject>
  /**
   * Generates what happens after `from`, up to and including `to`: new values, including late ones,
   * and changes of events. Consecutive spans neither miss nor repeat anything; the first one starts
   * at `until`.
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

/** The data types of all measurements in the region. */
const dataTypes: readonly DataTypeItem[] = readYaml(
  new URL('stations/data-types.yaml', import.meta.url),
  Type.Array(Type.Tuple([Type.String(), Type.String(), Type.String(), Type.String()])),
).map(([name, unit, type, description]) => ({
  ...{ name, unit, type, description },
  metadata: { demo: true },
}))

/**
 * Links between neighbouring Bluetooth stations of a road, in both directions. Each link is also a
 * station of type LinkStation with the same code, which has the travel times.
 */
const edgeType = 'LinkStation'

const typeNamed = (name: string): StationType =>
  at(
    stationTypes.filter((type) => type.name === name),
    0,
  )

function edgeTotal(setting: Setting): number {
  const links = countOf(setting, typeNamed('LinkStation'))
  const pairs = Math.floor(countOf(setting, typeNamed('BluetoothStation')) / roads.length / 2)
  return Math.min(links, pairs * roads.length * 2)
}

function* edgesOf(setting: Setting): Generator<EdgesObject> {
  const count = edgeTotal(setting)
  for (let from = 0; from < count; from += itemsPerMessage) {
    const size = Math.min(itemsPerMessage, count - from)
    const items = Array.from({ length: size }, (_, index) => toEdge(setting, from + index))
    yield { kind: 'edges', edgeType, origin: 'NOI', items }
  }
}

/**
 * Creates the link with this index. Stations of a road form pairs: first and second, third and
 * fourth …
 */
function toEdge({ geography }: Setting, index: number): EdgeItem {
  const bluetooth = typeNamed('BluetoothStation')
  const road = at(roads, index % roads.length)
  const turn = Math.floor(index / roads.length)
  const first = turn - (turn % 2)
  const [from, to] = turn % 2 === 0 ? [first, first + 1] : [first + 1, first]
  const station = (position: number) =>
    codeOf(bluetooth, position * roads.length + (index % roads.length))
  return {
    code: codeOf(typeNamed('LinkStation'), index),
    name: `${road.number} ${station(from)} → ${station(to)}`,
    from: { type: bluetooth.name, code: station(from) },
    to: { type: bluetooth.name, code: station(to) },
    directed: true,
    geometry: {
      type: 'LineString',
      coordinates: lineAlong(geography, road, [roadShare(from), roadShare(to)]),
    },
    active: true,
  }
}

/**
 * Number of records at scale 1. The territory is always the same; houses, tours and other offers
 * grow with the scale.
 */
const recordsPerScale = 3000

/** Items per message: half of the thousand that a page of the content service may have. */
const itemsPerMessage = 500

/** Returns all collections, beginning with those to which others refer. */
function collectionsOf(setting: Setting): readonly Collection[] {
  const territory = territoryOf(setting)
  const atFullSize = recordsPerScale * Math.max(1, setting.scale) - total(territory)
  return [...territory, ...offersOf(setting, Math.round(atFullSize * Math.min(1, setting.scale)))]
}

function territoryOf(setting: Setting): readonly Collection[] {
  return [
    sources(setting),
    publishers(),
    tags(setting),
    // Must precede all records that refer to them, because the hub copies the names of tags and
    // areas into those.
    areas(setting),
    metaRegions(setting),
    regions(setting),
    experienceAreas(setting),
    tourismAssociations(setting),
    municipalities(setting),
    districts(setting),
    skiRegions(setting),
    skiAreas(setting),
    geoShapes(setting),
    weatherBulletins(setting),
    weatherDistricts(setting),
    weatherForecasts(setting),
    weatherRealtimes(setting),
    measuringpoints(setting),
  ]
}

/**
 * Divides a number of records among the collections; tours, sights and places to eat get the rest.
 * The shares guarantee that everything a record refers to exists: houses for articles, venues for
 * events.
 */
function offersOf(setting: Setting, records: number): readonly Collection[] {
  const share = (part: number) => Math.ceil(records * part)
  const houses = share(0.24)
  const others = [
    accommodations(setting, houses),
    rooms(setting, houses),
    venues(setting, share(0.018)),
    events(setting, share(0.08)),
    eventShorts(setting, share(0.022)),
    articles(setting, share(0.028)),
    webcams(setting, share(0.036)),
    wineAwards(setting, share(0.008)),
  ]
  return [...others, activityPois(setting, Math.max(0, records - total(others)))]
}

function roomsOf(setting: Setting): Collection {
  const found = collectionsOf(setting).find(({ entity }) => entity === 'AccommodationRoom')
  if (found === undefined) throw new RangeError('The region has no rooms.')
  return found
}

function total(collections: readonly Collection[]): number {
  return collections.reduce((sum, { count }) => sum + count, 0)
}

function* contentOf(setting: Setting): Generator<ContentObject> {
  for (const { entity, count, item } of collectionsOf(setting)) {
    for (let from = 0; from < count; from += itemsPerMessage) {
      const size = Math.min(itemsPerMessage, count - from)
      const items: readonly ContentItem[] = Array.from({ length: size }, (_, index) =>
        item(from + index),
      )
      yield { kind: 'content', entity, items }
    }
  }
}
