import type { Principal, Visibility } from '../access/index.ts'
import { columnsOf, planWritten, tableOf } from '../content/index.ts'
import type { Entity, Profile } from '../content/index.ts'
import { all, identifier, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { comparisons, conditionsOf, filterOfIds, isPlaced, ofSource } from './measures.ts'
import type { Measure } from './measures.ts'

/** A measure, the number of affected records, and the `rawfilter` that selects them. */
export type Figure = Measure & { readonly count: number; readonly filter: string | null }

type Counted = { readonly records: number; readonly figures: readonly Figure[] }

/**
 * The figures of a dataset, and of each of its sources. The key of records without a source is
 * empty.
 */
export type Quality = Counted & { readonly sources: ReadonlyMap<string, Counted> }

export type QualityDeps = {
  readonly database: Queryable
  readonly principal: Principal
  readonly visibility: Visibility
  readonly profile: Profile
  readonly now: () => Date
}

/** Measures the records of a dataset that the caller may see, exactly those in its list. */
export async function measure(entity: Entity, seeing: QualityDeps): Promise<Quality> {
  const { bySource, compared } = await count(entity, seeing)
  const names = [...bySource.keys()].sort()
  const figuresOf = (source: string | undefined): readonly Figure[] => [
    ...conditionsOf(entity).map((condition, place) => ({
      ...condition,
      count: sum(pick(bySource, source).map(({ counts }) => counts[place] ?? 0)),
      filter: source === undefined ? condition.filter : ofSource(source, condition.filter),
    })),
    ...(isPlaced(entity) ? comparisons : []).map((name) => {
      const found = pick(compared.get(name) ?? new Map<string, Found>(), source)
      const filter = filterOfIds(found.flatMap(({ ids }) => ids))
      return { measure: name, language: null, count: sum(found.map((one) => one.count)), filter }
    }),
  ]
  const countedOf = (source?: string): Counted => ({
    records: sum(pick(bySource, source).map(({ records }) => records)),
    figures: figuresOf(source),
  })
  return { ...countedOf(), sources: new Map(names.map((name) => [name, countedOf(name)])) }
}

type Row = { readonly records: number; readonly counts: readonly number[] }
type Found = { readonly count: number; readonly ids: readonly string[] }

function pick<Value>(
  all: ReadonlyMap<string, Value>,
  source: string | undefined,
): readonly Value[] {
  return [...all].flatMap(([name, value]) =>
    source === undefined || source === name ? [value] : [],
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

async function count(entity: Entity, seeing: QualityDeps) {
  const { database } = seeing
  const { where } = await planOf(entity, {}, seeing)
  const rows = await database.texts(await countStatement(entity, where, seeing))
  const bySource = new Map(
    rows.map(([source, records, ...counts]): readonly [string, Row] => [
      source ?? '',
      { records: Number(records), counts: counts.map(Number) },
    ]),
  )
  const compared = new Map<string, Map<string, Found>>()
  if (!isPlaced(entity) || rows.length === 0) return { bySource, compared }
  for (const [name, source, found, ids] of await database.texts(compareStatement(entity, where))) {
    const ofName = compared.get(name ?? '') ?? new Map<string, Found>()
    compared.set(name ?? '', ofName)
    ofName.set(source ?? '', { count: Number(found), ids: (ids ?? '').split('\n') })
  }
  return { bySource, compared }
}

/** Returns the plan of the list with these parameters, so that the count and the list agree. */
async function planOf(
  entity: Entity,
  written: Readonly<Record<string, string>>,
  seeing: QualityDeps,
) {
  const caller = { isAnonymous: seeing.principal.kind === 'anonymous', isStrict: false }
  const plan = await planWritten(entity, written, { ...seeing, ...caller })
  if (plan === undefined) throw new Error(`${entity.name} takes no ${Object.keys(written).join()}`)
  return plan
}

/**
 * Returns the statement that counts every condition in one pass over the records. Each record is
 * decompressed once for all conditions: `||` with an empty object returns it decompressed, and the
 * offset prevents PostgreSQL from repeating that in each condition.
 */
async function countStatement(entity: Entity, where: Sql, seeing: QualityDeps): Promise<Sql> {
  const plans = await Promise.all(
    conditionsOf(entity).map(({ filter }) => planOf(entity, { rawfilter: filter }, seeing)),
  )
  // Access rules are checked once, in the subquery, because they may use columns that only some
  // tables have.
  const counts = plans.map(({ filters }) => {
    const conditions = filters.map(({ condition }) => condition)
    return sql`count(*) filter (where ${all(conditions)})`
  })
  const columns = ['id', ...Object.keys(columnsOf(entity))].map(identifier)
  return sql`
    select coalesce(source, ''), ${join([sql`count(*)`, ...counts], ', ')}
    from (
      select ${join(columns, ', ')}, data || '{}' as data
      from ${tableOf(entity)} where ${where}
      offset 0) as seen
    group by coalesce(source, '')`
}

/** Metres within which two records with nearly the same name count as duplicates. */
const nearby = 30
/** Minimum similarity of the first titles of duplicates, by pg_trgm. */
const alike = 0.6
/** Limit on the identifiers returned for each source. */
const maxIds = 100

/**
 * Returns the statement that finds outliers and duplicates: records far from all others, and
 * records with another of nearly the same name nearby. Candidates are in the same or adjacent cells
 * of 0.001° by 0.0004° (about 45 metres from south to north), a join by equality, which is hashed.
 * A record is far if it is at least 10 km, and three times as far as nine in ten records, from the
 * middle.
 */
function compareStatement(entity: Entity, where: Sql): Sql {
  return sql`
    with seen as materialized (
      select id, coalesce(source, '') as source, position,
        btrim(substring(titles from ${'\t([^\n]*)'}::text)) as title,
        floor(st_x(position::geometry) * 1000)::integer as x,
        floor(st_y(position::geometry) * 2500)::integer as y
      from ${tableOf(entity)} where ${where} and position is not null),
    middle as (
      select st_setsrid(st_makepoint(
        percentile_cont(0.5) within group (order by st_x(position::geometry)),
        percentile_cont(0.5) within group (order by st_y(position::geometry))), 4326)::geography as point
      from seen),
    far as materialized (
      select id, source, st_distance(position, point, false) as metres from seen cross join middle),
    usual as (select percentile_cont(0.9) within group (order by metres) as metres from far),
    twins as (
      select distinct one.id, one.source
      from seen as one
      cross join unnest(array[-1, 0, 1]) as east cross join unnest(array[-1, 0, 1]) as north
      join seen as other on other.x = one.x + east and other.y = one.y + north
      where one.id <> other.id and one.title <> '' and similarity(one.title, other.title) >= ${alike}::float4
        and st_dwithin(one.position, other.position, ${nearby}::float8, false)),
    found as (
      select 'outlier' as name, far.source, far.id
      from far cross join usual where far.metres > greatest(3 * usual.metres, 10000)
      union all
      select 'duplicate', source, id from twins)
    select name, source, count(*), array_to_string((array_agg(id order by id))[1:${maxIds}::integer], ${'\n'}::text)
    from found group by name, source order by name, source`
}
