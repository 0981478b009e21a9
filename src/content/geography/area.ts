import { LanguageError, createCursor } from '../../lang/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { References } from '../entity.ts'
import { isVisibleRecord } from '../table.ts'
import { assertRing, parseGeometry, positionsOf, printGeometry } from './geometry.ts'
import type { Area, Geometry, Position } from './geometry.ts'

/**
 * Maximum length of an area, in characters. Most long ones are sent in a body, because URLs are
 * shorter.
 */
export const maxAreaLength = 1_000_000

/**
 * Parses the value of `polygon` in all its forms (interface 4.2, decision D26):
 *
 * ```
 * polygon = ( wkt | ( "bbc" | "bbi" ) pairs ) [ ";SRID=" number ]
 *         | country "." type "." ( id | name ) | id
 * ```
 * @throws LanguageError with the position
 */
export function parseArea(text: string): Area {
  if (text.length > maxAreaLength) {
    throw new LanguageError(`The text is longer than ${String(maxAreaLength)} characters.`, {
      position: maxAreaLength,
    })
  }
  const suffix = /;\s*SRID\s*=(.*)$/is.exec(text)
  const body = suffix === null ? text : text.slice(0, suffix.index)
  const srid = suffix === null ? 4326 : parseSrid(suffix[1] ?? '', suffix.index)
  const box = /^\s*bb([ci])\s*(?=[(\d+.-])/i.exec(body)
  if (box !== null) {
    const geometry = parseBox(body.slice(box[0].length), { start: box[0].length, srid })
    const relation = box[1]?.toLowerCase() === 'c' ? 'covers' : 'intersects'
    return drawn({ kind: 'drawn', geometry, relation, srid })
  }
  if (/^\s*(multi)?(point|linestring|polygon)\b|^\s*geometrycollection\b/i.test(body)) {
    return drawn({ kind: 'drawn', geometry: parseWkt(body), relation: 'intersects', srid })
  }
  if (suffix !== null || /[()]/.test(text)) throw unknownForm()
  return toShape(text.trim())
}

function parseSrid(written: string, position: number): number {
  const srid = Number(written)
  if (/^\s*\d{1,6}\s*$/.test(written) && srid > 0) return srid
  throw new LanguageError(
    `${JSON.stringify(written)} is not a valid number of a coordinate system.`,
    {
      position,
      expected: [';SRID=4326', ';SRID=32632', ';SRID=3857'],
    },
  )
}

function parseWkt(body: string): Geometry {
  const cursor = createCursor(body)
  const geometry = parseGeometry(cursor)
  cursor.match(/\s*/y)
  if (!cursor.isAtEnd()) throw cursor.fail('the end', '";SRID="')
  return geometry
}

function unknownForm(): LanguageError {
  return new LanguageError('This is not a valid area.', {
    position: 0,
    expected: [
      'WKT such as POLYGON((…)) or LINESTRING(…)',
      'bbc(…) or bbi(…) with pairs of longitude and latitude',
      'Country.Type.Name, Country.Type.Id or an identifier of /v1/GeoShapes',
    ],
  })
}

function toShape(id: string): Area {
  const parts = /^([a-z]{2})\.([^.]+)\.(.+)$/is.exec(id)
  if (parts === null) return { kind: 'shape', id }
  const [, country = '', type = '', name = ''] = parts
  return { kind: 'shape of country', id, country: country.toUpperCase(), type, name }
}

type Drawn = Extract<Area, { kind: 'drawn' }>

/**
 * Checks that coordinates in WGS 84 are within its bounds. An invalid latitude is usually a
 * misplaced longitude, so the error then suggests swapped axes.
 * @throws LanguageError for coordinates out of bounds
 */
function drawn(area: Drawn): Drawn {
  const positions = positionsOf(area.geometry)
  const isOnEarth = ([x, y]: Position) => Math.abs(x) <= 180 && Math.abs(y) <= 90
  if (area.srid !== 4326 || positions.every(isOnEarth)) return area
  const wrong = positions.find((position) => !isOnEarth(position)) ?? [0, 0]
  const isSwapped = positions.every(([x, y]) => isOnEarth([y, x]))
  throw new LanguageError(`${wrong.join(' ')} is not a valid longitude and latitude.`, {
    position: 0,
    expected: ['longitude from -180 to 180, then latitude from -90 to 90'],
    hint: isSwapped
      ? 'Longitude comes first: the axes seem to be swapped.'
      : 'For coordinates in metres specify their system, such as ;SRID=32632.',
  })
}

const number = /^[+-]?(\d{1,20}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,2})?$/i

/**
 * Parses what follows `bbc` and `bbi`: comma-separated pairs of longitude and latitude, `10 46,12
 * 47`, or single numbers, `10,46,12,47`. Parentheses are ignored. Two pairs are the corners of a
 * box; more are a ring, which is closed if it is open (decision D26). Corners may be in any order,
 * unless the box would span more than half of the earth: then it is the box across the
 * antimeridian, with its western edge first (RFC 7946, section 5.2).
 * @param start offset of the text in the parameter, for messages
 * @throws LanguageError with the position
 */
function parseBox(
  text: string,
  { start, srid }: { readonly start: number; readonly srid: number },
): Geometry {
  const fail = (message: string, hint?: string) =>
    new LanguageError(message, {
      position: start,
      expected: ['pairs of longitude and latitude, such as 10.4 46.2,12.5 47.1'],
      ...(hint === undefined ? {} : { hint }),
    })
  const pieces = text
    .replace(/[()]/g, ' ')
    .split(',')
    .map((piece) => piece.trim().split(/\s+/))
  const numbers = pieces.flat()
  const odd = numbers.find((piece) => !number.test(piece))
  if (odd !== undefined) throw fail(`${JSON.stringify(odd)} is not a valid number.`)
  const isPaired = pieces.every((piece) => piece.length === 2)
  const isSingle = pieces.every((piece) => piece.length === 1) && numbers.length % 2 === 0
  if (!isPaired && !isSingle) throw fail('The numbers do not make pairs.')
  const positions = toPairs(numbers.map(Number))
  if (positions.length < 2) throw fail('A box needs at least two corners.')
  const [[west] = [0], [east] = [0]] = positions
  const isOver = positions.length === 2 && srid === 4326 && west - east > 180
  if (isOver) return overAntimeridian(positions)
  const ring = positions.length === 2 ? toBox(positions) : closed(positions)
  assertRing(ring, start)
  return { kind: 'Polygon', lines: [ring] }
}

function toPairs(numbers: readonly number[]): readonly Position[] {
  return Array.from({ length: numbers.length / 2 }, (_, index) => [
    numbers[2 * index] ?? 0,
    numbers[2 * index + 1] ?? 0,
  ])
}

function toBox(corners: readonly Position[]): readonly Position[] {
  const [[left, bottom] = [0, 0], [right, top] = [0, 0]] = corners
  return [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
    [left, bottom],
  ]
}

function overAntimeridian([from = [0, 0], to = [0, 0]]: readonly Position[]): Geometry {
  const [, bottom] = from
  const [east, top] = to
  const halves = [
    toBox([from, [180, top]]),
    toBox([
      [-180, bottom],
      [east, top],
    ]),
  ]
  return { kind: 'MultiPolygon', polygons: halves.map((ring) => [ring]) }
}

function closed(positions: readonly Position[]): readonly Position[] {
  const [first] = positions
  const last = positions.at(-1)
  if (first === undefined || (first[0] === last?.[0] && first[1] === last[1])) return positions
  return [...positions, first]
}

/** An area as PostGIS prints it (hexadecimal EWKB), in WGS 84. */
type Outline = string

/**
 * Resolves an area to its outline in the database.
 * @throws LanguageError for a shape that does not exist or has no outline, for an unknown
 *   coordinate system, and for coordinates outside of their system
 */
export async function resolveArea(area: Area, references: References): Promise<Outline> {
  return area.kind === 'drawn' ? resolveDrawn(area, references) : resolveShape(area, references)
}

async function resolveDrawn(
  { geometry, srid }: Extract<Area, { kind: 'drawn' }>,
  { database }: References,
): Promise<Outline> {
  const [row] = await database.query<{ outline: string | null; known: boolean }>(sql`
    select content_area(${printGeometry(geometry)}, ${srid})::text as outline,
      exists (select from spatial_ref_sys where srid = ${srid}) as known`)
  if (typeof row?.outline === 'string') return row.outline
  const reason = row?.known === true ? 'The coordinates are outside of' : 'There is no'
  throw new LanguageError(`${reason} coordinate system ${String(srid)}.`, {
    position: 0,
    expected: ['coordinates within a system of EPSG that PostGIS knows, first axis first'],
    hint: 'Without ;SRID= coordinates are longitude and latitude (4326).',
  })
}

async function resolveShape(
  area: Exclude<Area, { kind: 'drawn' }>,
  { database, visibility }: References,
): Promise<Outline> {
  const seen = isVisibleRecord('GeoShape', visibility)
  const [row] = await database.query<{ outline: string | null; found: boolean }>(sql`
    select st_union(content_outline(data))::text as outline, count(*) > 0 as found
    from content.geoshape where ${seen} and ${isShape(area)}`)
  if (typeof row?.outline === 'string') return row.outline
  const reason = row?.found === true ? 'has no outline' : 'is not a shape of /v1/GeoShapes'
  throw new LanguageError(`${JSON.stringify(area.id)} ${reason}.`, {
    position: 0,
    expected: ['WKT', 'bbc(…)', 'bbi(…)', 'Country.Type.Name', 'an identifier of /v1/GeoShapes'],
    hint: 'Find shapes with /v1/GeoShapes?searchfilter=<part of the name>.',
  })
}

/** Returns the condition that selects the named GeoShape. */
export function isShape(area: Exclude<Area, { kind: 'drawn' }>): Sql {
  if (area.kind === 'shape') return sql`id = ${area.id}`
  const { id, country, type, name } = area
  return sql`(id = ${id} or (
    upper(data ->> 'Country') = ${country} and lower(shape_type) = lower(${type})
    and (id = ${name} or lower(name) = lower(${name}))))`
}
