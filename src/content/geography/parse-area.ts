import { LanguageError, createCursor } from '../../lang/index.ts'
import type { Area, Geometry, Position } from './area.ts'
import { parseBox } from './parse-box.ts'
import { parseGeometry } from './parse-wkt.ts'
import { positionsOf } from './positions-of.ts'

/** Characters of an area; most come in a body, for an address is shorter. */
export const longestArea = 1_000_000

/**
 * The value of `polygon` in all its forms (interface 4.2, decision D26):
 *
 * ```
 * polygon = ( wkt | ( "bbc" | "bbi" ) pairs ) [ ";SRID=" number ]
 *         | country "." type "." ( id | name ) | id
 * ```
 * @throws LanguageError with the position
 */
export function parseArea(text: string): Area {
  if (text.length > longestArea) {
    throw new LanguageError(`The text is longer than ${String(longestArea)} characters.`, {
      position: longestArea,
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
  throw new LanguageError(`${JSON.stringify(written)} is no number of a coordinate system.`, {
    position,
    expected: [';SRID=4326', ';SRID=32632', ';SRID=3857'],
  })
}

function parseWkt(body: string): Geometry {
  const cursor = createCursor(body)
  const geometry = parseGeometry(cursor)
  cursor.match(/\s*/y)
  if (!cursor.isAtEnd()) throw cursor.fail('the end', '";SRID="')
  return geometry
}

function unknownForm(): LanguageError {
  return new LanguageError('This is none of the forms of an area.', {
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

/** WGS 84 has bounds, and a latitude that is none is mostly a longitude in the wrong place. */
function drawn(area: Drawn): Drawn {
  const positions = positionsOf(area.geometry)
  const isOnEarth = ([x, y]: Position) => Math.abs(x) <= 180 && Math.abs(y) <= 90
  if (area.srid !== 4326 || positions.every(isOnEarth)) return area
  const wrong = positions.find((position) => !isOnEarth(position)) ?? [0, 0]
  const isSwapped = positions.every(([x, y]) => isOnEarth([y, x]))
  throw new LanguageError(`${wrong.join(' ')} is no longitude and latitude.`, {
    position: 0,
    expected: ['longitude from -180 to 180, then latitude from -90 to 90'],
    hint: isSwapped
      ? 'Longitude comes first: the axes seem to be swapped.'
      : 'For coordinates in metres name their system, such as ;SRID=32632.',
  })
}
