import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Span } from './ast.ts'
import { meaningless } from './rejected-where.ts'
import type { Resolved } from './resolve.ts'

/** A reference system that a geographic operator names, and where it stands. */
export type NamedSystem = { readonly srid: number; readonly span: Span }

/** The system of coordinates without another one; every database has it. */
const wgs84 = 4326

/** The reference systems of a condition that a database may not have. */
export function systemsOf(condition: Resolved): readonly NamedSystem[] {
  if (condition.kind !== 'test') return condition.of.flatMap(systemsOf)
  const { target, operator, value } = condition
  if (target.kind !== 'geometry' || value.kind !== 'list') return []
  const last = value.items[operator === 'dlt' ? 3 : 4]
  return last?.kind === 'number' && last.value !== wgs84
    ? [{ srid: last.value, span: last.span }]
    : []
}

/**
 * Makes sure that the database can transform from each of them: otherwise nothing would match, and
 * nobody would know why.
 * @throws AppError HUB-QRY-008
 */
export async function assertReferenceSystems(
  database: Queryable,
  systems: readonly NamedSystem[],
): Promise<void> {
  if (systems.length === 0) return
  const wanted = systems.map(({ srid }) => srid)
  const rows = await database.texts(
    sql`select srid from spatial_ref_sys where srid = any(${wanted}::integer[])`,
  )
  const known = new Set(rows.map(([srid]) => Number(srid)))
  const unknown = systems.find(({ srid }) => !known.has(srid))
  if (unknown === undefined) return
  throw meaningless(unknown.span, {
    detail: `There is no reference system ${String(unknown.srid)}`,
    expected: ['an EPSG number, such as 4326, 3857 or 25832'],
    hint: 'Without a number, coordinates are longitude and latitude in 4326.',
  })
}
