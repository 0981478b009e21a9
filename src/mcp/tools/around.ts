import { Type } from 'typebox'
import { fieldsOf, objectsOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import type { Ask, HubAnswer, Parameters } from '../ask-hub.ts'
import { joined, toParameters } from '../conditions.ts'
import { assertStations, fieldsFor, findDataset } from '../dataset.ts'
import type { Dataset } from '../dataset.ts'
import { distanceBetween, placeArguments, placeOf } from '../place.ts'
import type { Place } from '../place.ts'
import { fit } from '../result.ts'
import type { Result } from '../result.ts'
import { cursor, datasetName, defineTool, fieldPaths, filters, language, limit } from '../tool.ts'
import { AppError } from '../../errors/index.ts'

/** Tool that finds the records or stations nearest to a place. */
export const findNearest = defineTool({
  name: 'find_nearest',
  title: 'Find nearest',
  description:
    'The records of a content dataset, or the stations of a timeseries dataset, that are nearest to a place: by its name (a town, or any record with that title) or by coordinates. Each item has its distance in metres. For stations, dataTypes adds the latest values, and filter can use them: car parks near a place with mvalue.gt.10.',
  fields: {
    dataset: datasetName,
    ...placeArguments,
    radius: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 200_000, default: 10_000 },
        description: 'Metres around the place',
      }),
    ),
    dataTypes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[^/,]+$' }), {
        ...{ minItems: 1, maxItems: 10 },
        description: 'With stations: only those with these data types, with their latest values',
      }),
    ),
    ...filters,
    language,
    fields: fieldPaths,
    limit,
  },
  run: async (given, { ask }) => {
    const dataset = await findDataset(ask, given.dataset)
    if (given.dataTypes !== undefined) assertStations(dataset)
    const place = await placeOf(ask, given)
    const { language: chosen = 'en', radius = 10_000, dataTypes, limit: most = 10 } = given
    const main = await fieldsFor(ask, dataset, given)
    // Every item has the coordinates under names of its own, so these fields would repeat them.
    const fields = main?.filter((path) => !/^(GpsInfo|scoordinate)/.test(path))
    const chosenBy = toParameters(dataset, given)
    const search = { dataset, place, radius, fields, most, chosenBy, language: chosen }
    const { answer, found, total } =
      dataset.service === 'timeseries'
        ? await stationsAround(ask, { ...search, dataTypes })
        : await recordsAround(ask, search)
    const items = fit(found)
    const notes = [
      ...(total > items.length
        ? [`${String(total)} within the radius; raise limit for more.`]
        : []),
      ...(total === 0 ? ['Nothing within the radius; raise radius, or use fewer filters.'] : []),
    ]
    return { answer, facts: dataset.facts, total, notes, data: { place, radius, items } }
  },
})

type Search = {
  readonly dataset: Dataset
  readonly place: Place
  readonly radius: number
  /** Undefined for all. */
  readonly fields: readonly string[] | undefined
  readonly most: number
  readonly chosenBy: Parameters
  readonly language: string
}

type Around = {
  readonly answer: HubAnswer
  readonly found: readonly Members[]
  readonly total: number
}

/**
 * Finds records near a place. The list itself sorts by distance. GeoJSON has the position of every
 * record in the same form.
 */
async function recordsAround(ask: Ask, search: Search): Promise<Around> {
  const { dataset, place, radius, fields, most, chosenBy, language: chosen } = search
  const { latitude, longitude } = place
  const answer = await ask(dataset.list, {
    ...{ ...chosenBy, latitude, longitude, radius, fields, language: chosen },
    ...{ pagesize: most, format: 'geojson', removenullvalues: true },
  })
  const found = objectsOf(answer.body['features']).map((feature) => {
    const { properties, geometry } = feature
    return { ...distanceTo(place, geometry), ...fieldsOf(properties) }
  })
  return { answer, found, total: Number(answer.body['numberMatched']) }
}

/**
 * Returns the distance in metres, for points only: the nearest point of a line is for the hub to
 * determine.
 */
function distanceTo(place: Place, geometry: unknown): Members {
  const { type, coordinates } = fieldsOf(geometry)
  if (type !== 'Point' || !Array.isArray(coordinates)) return {}
  const [longitude, latitude] = coordinates.map(Number)
  if (latitude === undefined || longitude === undefined) return {}
  return { distance: metres(place, { latitude, longitude }), latitude, longitude }
}

const metres = (one: Place, other: Place) => Math.round(distanceBetween(one, other))

/**
 * Number of stations that are sorted in memory, because the time series service does not sort by
 * distance.
 */
const maxSorted = 1000

type Stations = Search & { readonly dataTypes: readonly string[] | undefined }

/**
 * Finds stations near a place. If the circle has more stations than can be sorted at once, a
 * smaller circle is searched for the nearest ones.
 */
async function stationsAround(ask: Ask, search: Stations): Promise<Around> {
  const { dataset, place, fields, most, chosenBy, dataTypes } = search
  const values =
    dataTypes === undefined ? '' : `/${dataTypes.map(encodeURIComponent).join(',')}/latest`
  const path = `${dataset.list}${values}`
  const measured = dataTypes === undefined ? [] : ['tname', 'mvalue', 'tunit', 'mvalidtime']
  const own = fields && [...new Set(['scode', 'sname', ...fields])]
  const select = own && [...own, 'scoordinate', ...measured]
  const within = (radius: number) => ({ ...chosenBy, where: inCircle(place, radius, chosenBy) })
  const count = async (radius: number) => {
    const { body } = await ask(path, { ...within(radius), select: 'count' })
    return Number(objectsOf(body['data'])[0]?.['count'] ?? 0)
  }
  const total = await count(search.radius)
  const { radius, held } = await nearestCircle(count, { radius: search.radius, total, most })
  const limit = Math.max(held, maxSorted)
  const answer = await ask(path, { ...within(radius), select, limit })
  const found = objectsOf(answer.body['data'])
    .map((row) => toStation(place, row))
    .sort((one, other) => Number(one['distance']) - Number(other['distance']))
  return { answer, found: found.slice(0, most), total }
}

type Circle = { readonly radius: number; readonly total: number; readonly most: number }

/**
 * Finds a circle that contains the nearest stations but no more than can be sorted at once, by
 * bisecting between a radius with too few and one with too many. If the distances of more stations
 * than that differ by less than a metre, the circle contains all of them.
 */
async function nearestCircle(count: (radius: number) => Promise<number>, circle: Circle) {
  let [inner, radius, held] = [0, circle.radius, circle.total]
  while (held > maxSorted && radius - inner > 1) {
    const middle = Math.ceil((inner + radius) / 2)
    const found = await count(middle)
    if (found < circle.most) inner = middle
    else [radius, held] = [middle, found]
  }
  return { radius, held }
}

function inCircle({ latitude, longitude }: Place, radius: number, { where }: Parameters) {
  const circle = `scoordinate.dlt.(${[radius, longitude, latitude].join(',')})`
  return joined([circle, typeof where === 'string' ? where : undefined])
}

function toStation(place: Place, { _timestamp: _, scoordinate, ...row }: Members): Members {
  const { x, y } = fieldsOf(scoordinate)
  const [longitude, latitude] = [Number(x), Number(y)]
  return { distance: metres(place, { latitude, longitude }), latitude, longitude, ...row }
}

/** Tool that finds what disrupts traffic. */
export const trafficNow = defineTool({
  name: 'traffic_now',
  title: 'Traffic now',
  description:
    'Traffic situations that are in force now, or at another time: closures, road works, accidents, congestion, bad weather on roads. Filters by provider, by kind, by severity (high, medium, low), by road, and by distance from a place. Statistics of all announcements: group_and_count of content/Announcement.',
  fields: {
    ...placeArguments,
    radius: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 200_000, default: 15_000 },
        description: 'Metres around the place',
      }),
    ),
    origin: Type.Optional(Type.String({ maxLength: 200, description: 'Provider of the events' })),
    kind: Type.Optional(
      Type.String({
        ...{ maxLength: 200, pattern: '^[^,()]+$', examples: ['traffic-event:road-work'] },
        description: 'Tag of describe_dataset content/Announcement; the prefix may be left out',
      }),
    ),
    severity: Type.Optional(Type.Enum(['high', 'medium', 'low'])),
    road: Type.Optional(
      Type.String({
        maxLength: 50,
        pattern: '^[\\w .-]+$',
        examples: ['SS38'],
        description: 'Number of the road',
      }),
    ),
    at: Type.Optional(
      Type.String({
        pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$`,
        description: 'The time in question, in UTC such as 2026-11-20T08:00:00Z; default: now',
      }),
    ),
    language,
    limit,
    cursor,
  },
  run: async (given, { ask, now }) => {
    const { language: chosen = 'en', limit: most = 10, kind, origin } = given
    const { time = given.at ?? now().toISOString(), inner } = openCursor(given.cursor)
    const { latitude, longitude, radius } = await circleOf(ask, given)
    const dataset = await findDataset(ask, 'content/Announcement')
    const query = {
      // Cancelled situations are not active.
      ...{ begin: time, end: time, active: true, source: origin, cursor: inner, language: chosen },
      ...{ latitude, longitude, radius, removenullvalues: true, fields: fieldsIn(chosen) },
      tagfilter: kind === undefined || kind.includes(':') ? kind : `traffic-event:${kind}`,
      rawfilter: joined([
        ...conditionOn('Severity', given.severity),
        ...conditionOn('Metadata.road', given.road),
      ]),
    }
    return situations(ask, dataset, { query, most, time })
  },
})

type SituationQuery = { readonly query: Parameters; readonly most: number; readonly time: string }

async function situations(ask: Ask, dataset: Dataset, wanted: SituationQuery): Promise<Result> {
  const { query, most, time } = wanted
  const answer = await ask(dataset.list, { ...query, pagesize: most })
  const found = objectsOf(answer.body['Items'])
  const items = fit(found)
  if (items.length < found.length) {
    return situations(ask, dataset, { ...wanted, most: items.length })
  }
  const next = answer.cursor === undefined ? undefined : `${time}~${answer.cursor}`
  const total = Number(answer.body['TotalResults'])
  return { answer, facts: dataset.facts, total, cursor: next, data: { at: time, items } }
}

/**
 * Splits a cursor into the time and the cursor of the hub. The latter is valid only for the same
 * query, which includes the time, so the tool's cursor contains both.
 */
function openCursor(cursor: string | undefined): {
  readonly time?: string
  readonly inner?: string
} {
  if (cursor === undefined) return {}
  const [time = '', inner] = cursor.split('~')
  if (inner !== undefined && !Number.isNaN(Date.parse(time))) return { time, inner }
  throw new AppError('HUB-QRY-001', 'The cursor is not one of this tool.', {
    hint: 'Use the cursor of the previous result, or none.',
  })
}

type Where = Parameters_ & { readonly radius?: number }
type Parameters_ = {
  readonly place?: string
  readonly latitude?: number
  readonly longitude?: number
}

async function circleOf(ask: Ask, given: Where) {
  const { radius = 15_000 } = given
  const parts = [given.place, given.latitude, given.longitude, given.radius]
  if (parts.every((part) => part === undefined)) return {}
  const { latitude, longitude } = await placeOf(ask, given)
  return { latitude, longitude, radius }
}

const event = 'AdditionalProperties.MobilityEvent'

function conditionOn(field: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`eq(${event}.${field},'${value}')`]
}

/** `Shortname` is a title even if there is none in the chosen language. */
const fieldsIn = (chosen: string) => [
  'Shortname',
  `Detail.${chosen}.Title`,
  `Detail.${chosen}.BaseText`,
  ...['StartTime', 'EndTime', 'TagIds', 'Source'],
  ...['Severity', 'Metadata.road', 'LocationDescription'].map((field) => `${event}.${field}`),
  ...['Geo.position.Latitude', 'Geo.position.Longitude'],
]
