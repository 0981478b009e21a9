import { Type } from 'typebox'
import { AppError } from '../../errors/index.ts'
import { fieldsOf, textOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import { sql } from '../../sql/index.ts'
import type { Entity, Filter, Query, References, Rewrite } from '../entity.ts'
import { rejected } from '../filters/values.ts'

/** An EPSG coordinate system that PostGIS supports. */
type System = {
  readonly srid: number
  /** Decimals of the coordinates, for a precision of a millimetre or better. */
  readonly decimals: number
}

const expected = [
  'EPSG:4326 (WGS 84)',
  'EPSG:3857 (web Mercator)',
  'EPSG:32632 (UTM 32N)',
  'another number of EPSG that PostGIS knows',
]

/** Patterns of the ways in which clients write a coordinate system (reference content.md 6.5). */
const spellings: readonly (readonly [RegExp, number])[] = [
  [/32632/, 32632],
  [/3857|mercator/i, 3857],
  // 4362 is a misprint in the description of the public system.
  [/4326|4362|wgs\s*84/i, 4326],
]

/**
 * Parses `srid`.
 * @throws AppError HUB-QRY-001 for a text without an EPSG number
 */
function readSrid(written: string): number {
  const known = spellings.find(([pattern]) => pattern.test(written))
  if (known !== undefined) return known[1]
  const [, digits] = /^\s*(?:epsg\s*:+\s*)?(\d{4,6})\s*$/i.exec(written) ?? []
  if (digits !== undefined) return Number(digits)
  throw noSystem(written)
}

/**
 * Loads a coordinate system.
 * @throws AppError HUB-QRY-001 for a number that PostGIS does not support
 */
async function loadSystem(srid: number, { database }: References): Promise<System> {
  const [row] = await database.query<{ degrees: boolean }>(sql`
    select proj4text like '%longlat%' as degrees from spatial_ref_sys where srid = ${srid}`)
  if (row === undefined) throw noSystem(`EPSG:${String(srid)}`)
  return { srid, decimals: row.degrees ? 9 : 3 }
}

function noSystem(written: string) {
  const detail = `is ${JSON.stringify(written)}, which is not a coordinate system`
  return rejected({ parameter: 'srid', detail, expected })
}

const sridParameter = {
  name: 'srid',
  schema: Type.String({
    maxLength: 100,
    description:
      'Coordinate system of Geometry, also stated in Srid: EPSG:4326 (default), EPSG:3857, EPSG:32632, or another EPSG code that PostGIS knows',
  }),
  examples: {
    good: ['EPSG:32632', '3857', 'mercator', 'wgs84', 'epsg:25832'],
    bad: ['utm', 'EPSG:999999', '12', 'EPSG:25832.5'],
  },
}

/**
 * Shows shapes in the requested coordinate system, by default in WGS 84 (interface 4.7). Excludes
 * no record.
 */
export const sridFilter: Filter = {
  name: 'srid',
  parameters: [sridParameter],
  hasDefault: true,
  read: ({ query }) => {
    const written = query['srid']
    const srid = readSrid(typeof written === 'string' ? written : 'EPSG:4326')
    return async (references) => {
      const system = await loadSystem(srid, references)
      const meaning = { text: nameOf(system), condition: sql`true` }
      return showsShapes(query) ? { ...meaning, rewrite: toSystem(system, references) } : meaning
    }
  },
}

/** Reports whether `fields` selects any part of a shape. */
function showsShapes({ fields }: Query): boolean {
  if (!Array.isArray(fields) || fields.length === 0) return true
  return fields.some((field) => /^\W*(?:Geometry|Srid)\b|^\W/.test(String(field)))
}

const nameOf = ({ srid }: System) => `EPSG:${String(srid)}`

const shownWithShape = ['Geometry', 'Srid']

/**
 * Converts the shapes of a page to a coordinate system. A shape that PostGIS cannot read is shown
 * as stored.
 */
function toSystem(system: System, references: References): Rewrite {
  const load = async (records: readonly Members[]) => {
    const others = records.filter((record) => storedSrid(record) !== system.srid)
    const shapes = await transform(others, system, references)
    const found = new Map(others.map(({ Id }, index) => [Id, shapes[index] ?? null]))
    return (record: Members) => [withShape(record, found.get(record['Id']), system)]
  }
  return { adds: shownWithShape, toShown: (record) => [record], load }
}

function storedSrid(record: Members): number {
  const [digits] = /\d{1,6}$/.exec(textOf(record['Srid']) ?? '4326') ?? []
  return Number(digits ?? 4326)
}

async function transform(
  records: readonly Members[],
  { srid, decimals }: System,
  { database }: References,
): Promise<readonly (string | null)[]> {
  if (records.length === 0) return []
  const shapes = records.map(({ Geometry, Srid }) => JSON.stringify({ Geometry, Srid }))
  try {
    // Option 0 omits `crs`, which `inSystem` adds for systems other than WGS 84. `Srid` names the
    // system as well, as in stored shapes.
    const rows = await database.texts(sql`
      select st_asgeojson(st_transform(content_outline(shape::jsonb), ${srid}::integer), ${decimals}::integer, 0)
      from unnest(${shapes}::text[]) with ordinality as shapes (shape, place)
      order by place`)
    return rows.map(([text]) => text ?? null)
  } catch (error) {
    if (error instanceof AppError) throw error
    // Shapes that cannot be read give null, so only the projection itself can have failed.
    throw outside(srid, error)
  }
}

function outside(srid: number, cause: unknown): AppError {
  const detail = `EPSG:${String(srid)} cannot represent all of these shapes: some are too far from its area of use.`
  return new AppError('HUB-QRY-001', detail, {
    issues: [
      {
        parameter: 'srid',
        detail,
        expected: ['EPSG:4326', 'a coordinate system for the area of the shapes'],
      },
    ],
    cause,
  })
}

function withShape(record: Members, shape: string | null | undefined, system: System): Members {
  if (shape === null) return record
  // Undefined: the shape is stored in this system already.
  const geometry = fieldsOf(shape === undefined ? record['Geometry'] : JSON.parse(shape))
  return { ...record, Geometry: inSystem(geometry, system), Srid: nameOf(system) }
}

/**
 * Adds `crs` to coordinates that are not in WGS 84, as in GeoJSON before RFC 7946 (decision D26).
 */
function inSystem(geometry: Members, { srid }: System): Members {
  if (srid === 4326 || !('type' in geometry)) return geometry
  const name = `urn:ogc:def:crs:EPSG::${String(srid)}`
  return { ...geometry, crs: { type: 'name', properties: { name } } }
}

/**
 * Reports whether shapes are shown in a system other than WGS 84. Unknown EPSG numbers are rejected
 * elsewhere.
 * @throws AppError HUB-QRY-001 for a text without an EPSG number
 */
export function isElsewhere({ itemFilters }: Pick<Entity, 'itemFilters'>, query: Query): boolean {
  const written = query['srid']
  if (typeof written !== 'string' || !itemFilters.includes(sridFilter)) return false
  return readSrid(written) !== 4326
}

const simplifyParameter = {
  name: 'simplify',
  schema: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description:
      'Simplifies Geometry for map backgrounds: omits corners within about this many metres of the remaining shape. Only in EPSG:4326',
  }),
  examples: { good: ['1', '100', '5000'], bad: ['0', '-5', '100001', 'much'] },
}

/** Shows shapes with fewer corners. Excludes no record. */
export const simplifyFilter: Filter = {
  name: 'simplify',
  parameters: [simplifyParameter],
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
  const detail = 'shows shapes in EPSG:4326, while srid specifies another system'
  const expected = ['simplify without srid', 'srid without simplify']
  return rejected({ parameter: 'simplify', detail, expected })
}

/** Metres in a degree of latitude. */
const metresOfDegree = 111_320

/** Simplifies the shapes of a page. A shape that PostGIS cannot read is shown as stored. */
function simplified(metres: number, { database }: References): Rewrite {
  // More decimals would be meaningless: 1 m is 0.00001°.
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
    return (record: Members) => [withSimplified(record, found.get(record['Id']) ?? null)]
  }
  return { adds: shownWithShape, toShown: (record) => [record], load }
}

function withSimplified(record: Members, shape: string | null): Members {
  if (shape === null) return record
  return { ...record, Geometry: fieldsOf(JSON.parse(shape)), Srid: 'EPSG:4326' }
}
