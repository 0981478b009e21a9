import { Type } from 'typebox'
import { fieldsOf, objectsOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import type { Ask, HubAnswer, Parameters } from '../ask-hub.ts'
import { joined, toParameters } from '../conditions.ts'
import { findDataset, mainFields } from '../dataset.ts'
import type { Dataset } from '../dataset.ts'
import { distanceBetween, placeArguments, placeOf } from '../place.ts'
import type { Place } from '../place.ts'
import { fit } from '../result.ts'
import { datasetName, defineTool, fieldPaths, filters, language, limit } from '../tool.ts'

/** What is around a place. */
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
    const place = await placeOf(ask, given)
    const { language: chosen = 'en', radius = 10_000, dataTypes, limit: most = 10 } = given
    const main = given.fields ?? (await mainFields(ask, dataset, chosen))
    // The place has names of its own in every item.
    const fields = main.filter((path) => !/^(GpsInfo|scoordinate)/.test(path))
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
  readonly fields: readonly string[]
  readonly most: number
  readonly chosenBy: Parameters
  readonly language: string
}

type Around = {
  readonly answer: HubAnswer
  readonly found: readonly Members[]
  readonly total: number
}

/** The list orders by distance itself; GeoJSON has the position of every record in one form. */
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

/** Metres; only of points, because what is nearest of a line is for the hub to say. */
function distanceTo(place: Place, geometry: unknown): Members {
  const { type, coordinates } = fieldsOf(geometry)
  if (type !== 'Point' || !Array.isArray(coordinates)) return {}
  const [longitude, latitude] = coordinates.map(Number)
  if (latitude === undefined || longitude === undefined) return {}
  return { distance: metres(place, { latitude, longitude }), latitude, longitude }
}

const metres = (one: Place, other: Place) => Math.round(distanceBetween(one, other))

/** Stations that are sorted at once; the service does not order by distance. */
const mostSorted = 1000

type Stations = Search & { readonly dataTypes: readonly string[] | undefined }

/** Where there are more than can be sorted at once, the nearest are in a smaller circle. */
async function stationsAround(ask: Ask, search: Stations): Promise<Around> {
  const { dataset, place, fields, most, chosenBy, dataTypes } = search
  const values =
    dataTypes === undefined ? '' : `/${dataTypes.map(encodeURIComponent).join(',')}/latest`
  const path = `${dataset.list}${values}`
  const own = [...new Set(['scode', 'sname', ...fields])]
  const measured = dataTypes === undefined ? [] : ['tname', 'mvalue', 'tunit', 'mvalidtime']
  const select = [...own, 'scoordinate', ...measured]
  const within = (radius: number) => ({ ...chosenBy, where: inCircle(place, radius, chosenBy) })
  const count = async (radius: number) => {
    const { body } = await ask(path, { ...within(radius), select: 'count' })
    return Number(objectsOf(body['data'])[0]?.['count'] ?? 0)
  }
  const total = await count(search.radius)
  const { radius, held } = await nearestCircle(count, { radius: search.radius, total, most })
  const limit = Math.max(held, mostSorted)
  const answer = await ask(path, { ...within(radius), select, limit })
  const found = objectsOf(answer.body['data'])
    .map((row) => toStation(place, row))
    .sort((one, other) => Number(one['distance']) - Number(other['distance']))
  return { answer, found: found.slice(0, most), total }
}

type Circle = { readonly radius: number; readonly total: number; readonly most: number }

/**
 * A circle that has the nearest, and no more than can be sorted at once: halfway between one with too few and one with
 * too many, again and again. Only where more lie within one metre, it has them all.
 */
async function nearestCircle(count: (radius: number) => Promise<number>, circle: Circle) {
  let [inner, radius, held] = [0, circle.radius, circle.total]
  while (held > mostSorted && radius - inner > 1) {
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
