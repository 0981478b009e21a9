import { Type } from 'typebox'
import { sql } from '../../sql/index.ts'
import type { Rewrite } from '../entity.ts'
import type { Filter, References } from '../filters/filter.ts'
import { rejected } from '../filters/reject.ts'
import { membersOf } from '../formats/record-members.ts'
import type { Members } from '../formats/record-members.ts'
import { readSrid } from './read-system.ts'

const parameter = {
  name: 'simplify',
  schema: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description:
      'Leaves corners out of Geometry that lie within about so many metres of what is left: light shapes for the background of a map. In EPSG:4326 only',
  }),
  examples: { good: ['1', '100', '5000'], bad: ['0', '-5', '100001', 'much'] },
}

/** Shows shapes with fewer corners. It leaves no record out. */
export const simplifyFilter: Filter = {
  name: 'simplify',
  parameters: [parameter],
  read: ({ query }) => {
    const metres = query['simplify']
    if (typeof metres !== 'number') return undefined
    const srid = query['srid']
    if (typeof srid === 'string' && readSrid(srid) !== 4326) throw notHere()
    return (references) =>
      Promise.resolve({
        text: String(metres),
        condition: sql`true`,
        rewrite: simplified(metres, references),
      })
  },
}

function notHere() {
  const detail = 'shows shapes in EPSG:4326, while srid names another system'
  const expected = ['simplify without srid', 'srid without simplify']
  return rejected({ parameter: 'simplify', detail, expected })
}

/** Of a degree of latitude. */
const metresOfDegree = 111_320

/** A shape that PostGIS cannot read stays as it is stored. */
function simplified(metres: number, { database }: References): Rewrite {
  // More would tell nothing: 1 m is 0.00001°.
  const decimals = Math.max(3, 6 - Math.floor(Math.log10(metres)))
  const load = async (records: readonly Members[]) => {
    const shapes = records.map(({ Geometry, Srid }) => JSON.stringify({ Geometry, Srid }))
    const rows = await database.texts(sql`
      select st_asgeojson(
        st_simplifypreservetopology(content_outline(shape::jsonb), ${metres / metresOfDegree}),
        ${decimals}::integer, 0)
      from unnest(${shapes}::text[]) with ordinality as shapes (shape, place)
      order by place`)
    const found = new Map(records.map(({ Id }, index) => [Id, rows[index]?.[0] ?? null]))
    return (record: Members) => [withShape(record, found.get(record['Id']) ?? null)]
  }
  return { toShown: (record) => [record], load }
}

function withShape(record: Members, shape: string | null): Members {
  if (shape === null) return record
  return { ...record, Geometry: membersOf(JSON.parse(shape)), Srid: 'EPSG:4326' }
}
