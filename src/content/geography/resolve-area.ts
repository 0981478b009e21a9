import { LanguageError } from '../../lang/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { References } from '../filters/filter.ts'
import { isVisibleRecord } from '../visible-records.ts'
import type { Area } from './area.ts'
import { printGeometry } from './print.ts'

/** An area as PostGIS writes it (hexadecimal EWKB), in WGS 84. */
export type Outline = string

/**
 * What the database makes of an area.
 * @throws LanguageError for a shape that there is not, and for coordinates without a place on earth
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
  const reason = row?.known === true ? 'The coordinates lie outside of' : 'There is no'
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
  const reason = row?.found === true ? 'has no outline' : 'is no shape of /v1/GeoShapes'
  throw new LanguageError(`${JSON.stringify(area.id)} ${reason}.`, {
    position: 0,
    expected: ['WKT', 'bbc(…)', 'bbi(…)', 'Country.Type.Name', 'an identifier of /v1/GeoShapes'],
    hint: 'Find shapes with /v1/GeoShapes?searchfilter=<part of the name>.',
  })
}

/** The condition that a GeoShape is the one that is named. */
export function isShape(area: Exclude<Area, { kind: 'drawn' }>): Sql {
  if (area.kind === 'shape') return sql`id = ${area.id}`
  const { id, country, type, name } = area
  return sql`(id = ${id} or (
    upper(data ->> 'Country') = ${country} and lower(shape_type) = lower(${type})
    and (id = ${name} or lower(name) = lower(${name}))))`
}
