import { sql } from '../src/sql/index.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import type { Bench } from './harness/bench.ts'
import { comparison } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { httpLoad } from './harness/http-load.ts'
import { pgbench } from './harness/pgbench.ts'

const items = '/ogc/collections/Accommodation/items'

const prepare = async (environment: Environment) => {
  await loadAccommodations(environment)
  return environment
}

/** The same eleven pages on both sides. The hub may cache some of them. */
const ogcItems = comparison({
  name: 'ogc-items',
  title: 'OGC API Features, pages of 100 features ÷ the GeoJSON list of 100',
  goal: 0.9,
  unit: 'pages/s',
  prepare,
  ours: ({ hub }) => httpLoad({ url: hub.url, path: `${items}?limit=`, low: 95, high: 105 }),
  limit: ({ hub }) =>
    httpLoad({
      ...{ url: hub.url, path: '/v1/Accommodation?format=geojson&pagesize=' },
      ...{ low: 95, high: 105 },
    }),
})

/**
 * A bounding box in the middle of the places that contains a hundredth of them. Its western edge,
 * in millionths of a degree, is drawn anew for each request, so that no response is cached.
 */
const edge = { low: 11_300_000, high: 11_301_999 }
export const boxOf = { ...edge, suffix: 'e-6,46.6,11.5,46.69' }

const bare = sql`
  select id, st_asgeojson(position::geometry, 9), data from content.accommodation
  where not closed and st_intersects(
    position::geometry, st_makeenvelope(${edge.low}::double precision, 46.6, 11.5, 46.69, 4326))
  order by id limit 100;
  select count(*) from content.accommodation
  where not closed and st_intersects(
    position::geometry, st_makeenvelope(${edge.low}::double precision, 46.6, 11.5, 46.69, 4326))`

const ogcBox = comparison({
  name: 'ogc-bbox',
  title:
    'OGC API Features, 100 features of a box with a hundredth of the places, and their count ÷ the bare statements',
  goal: 1 / 1.2,
  unit: 'boxes/s',
  prepare,
  ours: ({ hub }) => httpLoad({ url: hub.url, path: `${items}?limit=100&bbox=`, ...boxOf }),
  limit: (environment) => {
    const expression = `random(${String(edge.low)}, ${String(edge.high)}) / 1000000.0`
    const drawn = { value: edge.low, expression }
    return pgbench(environment, { statement: bare, drawn })
  },
})

export const ogcFeatures: readonly Bench[] = [ogcItems, ogcBox]
