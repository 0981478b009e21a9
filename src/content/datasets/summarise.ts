import type { Visibility } from '../../access/index.ts'
import { all, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { cellOf, mostOfEach, readCounts } from '../../tally/index.ts'
import type { Counts, Grid, Tally } from '../../tally/index.ts'
import type { Entity } from '../entity.ts'
import { isVisible, tableOf, textAt } from '../table.ts'

/** Summary of the records of a dataset. */
export type Summary = {
  readonly count: number
  /** Time of the newest change (ISO 8601), or null if there is none. */
  readonly updated: string | null
  readonly sources: Tally
  readonly licences: Tally
  /** Records that state no licence, by source; `*` for records that state no source either. */
  readonly unlicensed: Tally
  readonly languages: Tally
  readonly tags: Tally
  /** Records by grid cell, with keys such as `x y`. */
  readonly cells: Tally
  /** Records by the month of their last change in UTC, with keys such as `2026-11`. */
  readonly months: Tally
}

/** Records to summarise: the open ones, or the closed ones that a caller may see (D60). */
export type SummaryPart = 'open' | Visibility

type SummaryRequest = {
  readonly entity: Entity
  readonly part: SummaryPart
  readonly grid: Grid
}

/** Limits for each dataset: more cells than a map and more tags than a list of tags needs. */
const most = { cells: 20_000, tags: 500 }

/**
 * Summarises the records of an entity in one scan of its table, which counts every kind of value at
 * once. Most records share their languages and tags with others, so few rows remain to be counted.
 * @returns the summaries by origin if the entity is a view of events, otherwise one summary under
 *   an empty name
 */
export async function summarise(
  database: Queryable,
  wanted: SummaryRequest,
): Promise<ReadonlyMap<string, Summary>> {
  if (!mayHaveRecords(wanted.entity, wanted.part)) return new Map()
  const rows = await database.texts(sql`
    with grouped as materialized (${countedBy(wanted)})
    select part, kind, ${isoOf(sql`updated`)}, records from grouped where kind = 'count'
    union all
    select part, kind, coalesce(source, to_char(month, 'YYYY-MM')), records
    from grouped where kind in ('sources', 'months')
    union all
    select part, kind, licence, sum(records)
    from grouped where kind = 'licences' and licence <> '' group by part, kind, licence
    union all
    select part, 'unlicensed', coalesce(source, '*'), sum(records)
    from grouped where kind = 'licences' and coalesce(licence, '') = '' group by part, source
    union all
    select part, kind, language, sum(records)
    from grouped cross join unnest(languages) as language
    where kind = 'languages' group by part, kind, language
    union all
    ${mostOfEach(tagsCounted, most.tags)}
    union all
    ${mostOfEach(cellsCounted, most.cells)}`)
  return new Map([...readCounts(rows)].map(([part, counts]) => [part, toSummary(counts)]))
}

/** SQL for how many records share each value, for each kind of value. Nulls are counted, too. */
function countedBy({ entity, part, grid }: SummaryRequest): Sql {
  const group = entity.area === 'event' ? sql`origin` : sql`''::text`
  // Without the offset, PostgreSQL would compute the position of a record several times.
  return sql`
    select part, source, licence, languages, tag_ids, cell, month,
      count(*) as records, max(last_change) as updated,
      case
        when grouping(licence) = 0 then 'licences'
        when grouping(source) = 0 then 'sources'
        when grouping(languages) = 0 then 'languages'
        when grouping(tag_ids) = 0 then 'tags'
        when grouping(cell) = 0 then 'cells'
        when grouping(month) = 0 then 'months'
        else 'count'
      end as kind
    from (
      select *, case when place is not null then ${cellOf(sql`place`, grid)} end as cell
      from (
        select ${group} as part, source, ${licence} as licence, languages, tag_ids, last_change,
          date_trunc('month', last_change at time zone 'UTC') as month, ${placeOf(entity)} as place
        from ${tableOf(entity)} where ${conditionOf(entity, part)}
        offset 0) as seen) as placed
    group by grouping sets ((part), (part, source), (part, source, licence), (part, languages),
      (part, tag_ids), (part, cell), (part, month))`
}

/** Not a column, because nothing filters by it and adding a column would rewrite every table. */
const licence = textAt('LicenseInfo', 'License')

/**
 * SQL for the number of records by tag. A record names its tags twice, as `TagIds` and as `Tags`;
 * each tag is counted once.
 */
const tagsCounted = sql`(
  select part, kind, tag as value, sum(records) as records
  from (
    select distinct part, kind, tag_ids, tag, records
    from grouped cross join unnest(tag_ids) as tag where kind = 'tags') as own
  group by part, kind, tag)`

const cellsCounted = sql`(
  select part, kind, cell as value, records from grouped where kind = 'cells')`

/**
 * Returns the names of the entities with closed records that a caller may see, in one statement.
 * Usually these are few, and the other entities need no summary.
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

/**
 * Reports whether there may be records to summarise. A caller without a rule for the area of the
 * entity sees none of its closed records, so no query is needed.
 */
function mayHaveRecords({ area }: Entity, part: SummaryPart): boolean {
  if (part === 'open' || part.kind === 'everything') return true
  return part.rules.some((rule) => rule.area === null || rule.area === area)
}

/**
 * SQL for the position of a record. A record that has only an outline is placed at its centroid.
 */
function placeOf({ schema }: Entity): Sql {
  return 'Geometry' in schema.properties
    ? sql`coalesce(position::geometry, st_centroid(content_outline(data)))`
    : sql`position::geometry`
}

function isoOf(moment: Sql): Sql {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

function toSummary({ tally, single }: Counts): Summary {
  const { value: updated, count } = single('count')
  return {
    count,
    updated,
    sources: tally('sources'),
    licences: tally('licences'),
    unlicensed: tally('unlicensed'),
    languages: tally('languages'),
    tags: tally('tags'),
    cells: tally('cells'),
    months: tally('months'),
  }
}
