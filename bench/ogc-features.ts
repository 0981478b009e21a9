import { sql } from '../src/sql/index.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import type { Bench } from './harness/bench.ts'
import { comparison } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { httpLoad } from './harness/http-load.ts'
import { secondsOf } from './harness/seconds-of.ts'

const items = '/ogc/collections/Accommodation/items'

const prepare = async (environment: Environment) => {
  await loadAccommodations(environment)
  return environment
}

/** The same eleven pages on both sides, of which the hub may keep some. */
const ogcItems = comparison({
  name: 'ogc-items',
  title: 'OGC API Features, pages of 100 features ÷ the GeoJSON list of 100',
  goal: 0.9,
  unit: 'pages/s',
  prepare,
  ours: ({ hub }) =>
    httpLoad({
      ...{ url: hub.url, path: `${items}?limit=` },
      ...{ low: 95, high: 105 },
    }),
  limit: (environment) =>
    httpLoad({
      ...{ url: environment.hub.url, path: '/v1/Accommodation?format=geojson&pagesize=' },
      ...{ low: 95, high: 105 },
    }),
})

/** Boxes that hold a hundredth of the places each, far enough from each other. */
const boxes = 20

/** The middle of the places, and how far they reach to each side, in degrees. */
async function boxesOf({
  store: { database },
}: Environment): Promise<readonly (readonly number[])[]> {
  const rows = await database.texts(sql`
    select st_x(place), st_y(place) from (
      select "position"::geometry as place from content.accommodation
      where position is not null order by id limit ${boxes}::bigint) as sample`)
  const [extent] = await database.texts(sql`
    select (st_xmax(box) - st_xmin(box)) / 20, (st_ymax(box) - st_ymin(box)) / 20
    from (select st_extent(position::geometry) as box from content.accommodation) as all_of_them`)
  const [width, height] = [Number(extent?.[0]), Number(extent?.[1])]
  return rows.map(([x, y]) => [
    Number(x) - width,
    Number(y) - height,
    Number(x) + width,
    Number(y) + height,
  ])
}

const ogcBox = comparison({
  name: 'ogc-bbox',
  title:
    'OGC API Features, 100 features of a box with a hundredth of the places, and their count ÷ the bare statements',
  goal: 1 / 1.2,
  unit: 'boxes/s',
  prepare: async (environment) => ({
    ...(await prepare(environment)),
    boxes: await boxesOf(environment),
  }),
  ours: async ({ hub, boxes: some }) => {
    // Another limit each time, so that nothing is known from before.
    const limit = String(100 + Math.floor(Math.random() * 5))
    const load = async () => {
      for (const box of some) {
        const answer = await fetch(`${hub.url}${items}?limit=${limit}&bbox=${box.join(',')}`)
        await answer.arrayBuffer()
      }
    }
    return some.length / (await secondsOf(load))
  },
  limit: async ({ store: { database }, boxes: some }) => {
    const load = async () => {
      for (const [west, south, east, north] of some) {
        const within = sql`not closed and st_intersects(position::geometry, st_makeenvelope(${west}, ${south}, ${east}, ${north}, 4326))`
        await database.texts(sql`
          select id, st_asgeojson(position::geometry, 9), data from content.accommodation
          where ${within} order by id limit 100`)
        await database.texts(sql`select count(*) from content.accommodation where ${within}`)
      }
    }
    return some.length / (await secondsOf(load))
  },
})

export const ogcFeatures: readonly Bench[] = [ogcItems, ogcBox]
