import type { Visibility } from '../../access/index.ts'
import { all, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable, TextRow } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { isVisible } from '../list/plan.ts'
import { tableOf } from '../table.ts'

/** How many records have a value, by value; the most frequent first. */
export type Tally = ReadonlyMap<string, number>

/** Cells of a map: so many in a degree, counted from 0° 0°. */
export type Grid = { readonly perLongitude: number; readonly perLatitude: number }

/** What the records of a dataset have in common. */
export type Summary = {
  readonly count: number
  /** ISO 8601, of the newest change; null where there is none. */
  readonly updated: string | null
  readonly sources: Tally
  readonly licences: Tally
  readonly languages: Tally
  readonly tags: Tally
  /** Records by cell, as `x y`. */
  readonly cells: Tally
  /** Records by the month of their last change, as `2026-11`. */
  readonly months: Tally
}

/** What is summarised: the records that are open, or the closed ones that a caller may see (D60). */
export type SummaryPart = 'open' | Visibility

type Wanted = {
  readonly entity: Entity
  readonly part: SummaryPart
  readonly grid: Grid
}

/** More cells and tags than a map and a list of tags need. */
const most = { cells: 20_000, tags: 500 }

/**
 * Summarises the records of an entity in one pass over the narrow columns of its table.
 * @returns by the origin of events, where the entity is a view of them; otherwise under an empty name
 */
export async function summarise(
  database: Queryable,
  { entity, part, grid }: Wanted,
): Promise<ReadonlyMap<string, Summary>> {
  if (!mayHaveRecords(entity, part)) return new Map()
  const group = entity.area === 'event' ? sql`origin` : sql`''::text`
  const rows = await database.texts(sql`
    with seen as materialized (
      select ${group} as part, last_change, source, licence, languages, tag_ids,
        ${placeOf(entity)} as place
      from ${tableOf(entity)} where ${conditionOf(entity, part)})
    select part, 'count', null, count(*) from seen group by part
    union all
    select part, 'updated', ${isoOf(sql`max(last_change)`)}, 0 from seen group by part
    union all
    select part, 'sources', source, count(*) from seen group by part, source
    union all
    select part, 'licences', licence, count(*) from seen group by part, licence
    union all
    select part, 'languages', language, count(*)
    from seen cross join unnest(languages) as language group by part, language
    union all
    (select part, 'tags', tag, count(*)
    from seen cross join lateral (select distinct tag from unnest(tag_ids) as tag) as own
    group by part, tag order by count(*) desc limit ${most.tags}::bigint)
    union all
    (select part, 'cells', ${cellOf(sql`place`, grid)} as cell, count(*)
    from seen where place is not null
    group by part, cell order by count(*) desc limit ${most.cells}::bigint)
    union all
    select part, 'months', to_char(last_change at time zone 'UTC', 'YYYY-MM') as month, count(*)
    from seen where last_change is not null group by part, month`)
  return toSummaries(rows)
}

/**
 * The entities of which a caller may see closed records, in one statement: mostly there are few of them,
 * and the others need no summary.
 */
export async function withClosedRecords(
  database: Queryable,
  entities: readonly Entity[],
  visibility: Visibility,
): Promise<ReadonlySet<string>> {
  const possible = entities.filter((entity) => mayHaveRecords(entity, visibility))
  if (possible.length === 0) return new Set()
  const found = possible.map(
    (entity) =>
      sql`exists (select from ${tableOf(entity)} where ${conditionOf(entity, visibility)})`,
  )
  const [row] = await database.texts(sql`select ${join(found, ', ')}`)
  return new Set(possible.flatMap(({ name }, place) => (row?.[place] === 't' ? [name] : [])))
}

function conditionOf(entity: Entity, part: SummaryPart): Sql {
  return part === 'open' ? sql`not closed` : all([sql`closed`, isVisible(entity, part)])
}

/** Without a rule for its area a caller sees no closed record of the entity: no need to look. */
function mayHaveRecords({ area }: Entity, part: SummaryPart): boolean {
  if (part === 'open' || part.kind === 'everything') return true
  return part.rules.some((rule) => rule.area === null || rule.area === area)
}

/** Outlines have no position of their own: their middle stands for them. */
function placeOf({ schema }: Entity): Sql {
  return 'Geometry' in schema.properties
    ? sql`coalesce(position::geometry, st_centroid(content_outline(data)))`
    : sql`position::geometry`
}

function cellOf(place: Sql, { perLongitude, perLatitude }: Grid): Sql {
  return sql`concat(
    floor(st_x(${place}) * ${perLongitude}::integer)::integer, ' ',
    floor(st_y(${place}) * ${perLatitude}::integer)::integer)`
}

function isoOf(moment: Sql): Sql {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

function toSummaries(rows: readonly TextRow[]): ReadonlyMap<string, Summary> {
  const parts = Map.groupBy(rows, ([part]) => part ?? '')
  return new Map([...parts].map(([part, own]) => [part, toSummary(own)]))
}

function toSummary(rows: readonly TextRow[]): Summary {
  const kinds = Map.groupBy(rows, ([, kind]) => kind ?? '')
  const tally = (kind: string): Tally => {
    const counted = (kinds.get(kind) ?? []).flatMap(([, , value, count]) =>
      typeof value === 'string' && value !== '' ? [[value, Number(count)] as const] : [],
    )
    return new Map(counted.sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1)))
  }
  return {
    count: Number(kinds.get('count')?.[0]?.[3] ?? 0),
    updated: kinds.get('updated')?.[0]?.[2] ?? null,
    sources: tally('sources'),
    licences: tally('licences'),
    languages: tally('languages'),
    tags: tally('tags'),
    cells: tally('cells'),
    months: tally('months'),
  }
}
