import { AppError } from '../../errors/index.ts'
import { empty, identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { loadMade, storedSource } from '../distinct/index.ts'
import type { Source } from '../distinct/index.ts'
import { isWild, languages, leadsToOther } from '../representation.ts'
import type { FieldPath, Step } from '../representation.ts'
import { toListing, writePage } from '../list/list-entities.ts'
import type { ListAnswer, ListRequest } from '../list/list-entities.ts'
import { beginOf, countableOf, nextCursor, offsetOf, versionOf } from '../list/load-page.ts'
import { idKey, orderBy } from '../table.ts'
import type { ListPlan } from '../list/plan.ts'
import { maxGroups } from './grouping.ts'
import type { Aggregate, Column, Grouping } from './grouping.ts'

type Deps = { readonly database: Queryable; readonly publicUrl: string }

/**
 * Runs the plan of a grouped list.
 * @throws AppError HUB-QRY-016 if there are too many groups
 */
export async function listGroups(
  deps: Deps,
  request: ListRequest,
  grouping: Grouping,
): Promise<ListAnswer> {
  const { plan } = request
  const { version, total, groups, last } = await loadGroups(deps.database, plan, grouping)
  const { removeNullValues } = plan.representation
  const listing = {
    ...toListing({ ...deps, ...request }, total),
    representation: { fields: [], selectedBy: 'database', removeNullValues } as const,
    columns: grouping.columns.map(({ text }) => text),
  }
  const records = groups.map((data) => ({ id: '', data }))
  const cursor = nextCursor(plan, { records, last }, total)
  return writePage(deps, request, { version, listing, records, cursor })
}

/**
 * Loads the groups of a page as JSON, with the total number of groups and the dataset version, all
 * from one snapshot.
 */
async function loadGroups(database: Queryable, plan: ListPlan, grouping: Grouping) {
  const source = await sourceOf(database, plan)
  const keys = plan.keys.map(
    ({ value }, index) => sql`(${value})::text as ${identifier(`key ${String(index)}`)}`,
  )
  const members = grouping.columns.map(({ text, name }) => sql`${text}::text, ${name}`)
  const rows = await database.texts(sql`
    with grouped as materialized (${compileGroups(source, plan, grouping)})
    select version, total, shown, ${join(keys, ', ')}
    from (select ${versionOf(plan)} as version, (select count(*) from grouped) as total) as dataset
    left join (
      select json_build_object(${join(members, ', ')}) as shown, grouped.*
      from grouped
      where ${beginOf(plan)}
      order by ${plan.order}
      limit ${Math.min(plan.pageSize, maxGroups)} offset ${Math.min(offsetOf(plan), maxGroups)}
    ) as page on true
    order by ${plan.order}`)
  const total = Number(rows[0]?.[1] ?? 0)
  if (total > maxGroups) throw tooManyGroups(grouping)
  return {
    version: rows[0]?.[0] ?? '',
    total,
    groups: rows.flatMap(([, , shown]) => shown ?? []),
    last: rows.at(-1)?.slice(3) ?? [],
  }
}

function tooManyGroups({ paths }: Grouping): AppError {
  const most = maxGroups.toLocaleString('en')
  const detail = `gives more than ${most} groups`
  return new AppError('HUB-QRY-016', `groupby ${detail}.`, {
    issues: [{ parameter: 'groupby', detail, expected: [`paths with at most ${most} groups`] }],
    hint:
      paths.length > 1
        ? 'Filter the records, or group by fewer paths.'
        : 'Filter the records, or group by a path that has fewer values.',
  })
}

/**
 * Returns the matching records: as stored or, if a path requires it, with the fields that are
 * computed on read.
 */
async function sourceOf(database: Queryable, plan: ListPlan): Promise<Source> {
  if (plan.rewrites.length > 0) {
    return loadMade({ database }, { ...plan, order: orderBy([idKey]) })
  }
  if (plan.nearby === undefined) return storedSource(plan)
  return storedSource({ ...plan, where: sql`id in (select id from ${countableOf(plan)})` })
}

type Read = { readonly path: FieldPath; readonly name: Sql }

/**
 * SQL for the groups, each once, and at most one more than the limit. It has a JSON column for each
 * path and each aggregate.
 */
function compileGroups(source: Source, plan: ListPlan, grouping: Grouping): Sql {
  const { paths, aggregates, columns } = grouping
  const { language } = plan.representation
  const groups = columns.slice(0, paths.length).map(({ name }) => name)
  const read = [
    ...paths.map((path, index) => ({ path, name: columnOf(columns, index) })),
    ...aggregates.flatMap(({ path }, index) =>
      path === undefined ? [] : [{ path, name: identifier(`value ${String(index)}`) }],
    ),
  ]
  const aggregated = aggregates.map((aggregate, index) => {
    const value = compileAggregate(aggregate, identifier(`value ${String(index)}`))
    return sql`${value} as ${columnOf(columns, paths.length + index)}`
  })
  const values = read.map(
    (one) => sql`cross join lateral (${valuesOf(one, language)}) as ${one.name}`,
  )
  // `offset 0` keeps the planner from reading a record again for every mention of a value.
  return sql`
    select ${join([...groups, ...aggregated], ', ')}
    from (
      select ${join(
        read.map(({ name }) => name),
        ', ',
      )}
      from (select ${source.dataFor(read)} as data from ${source.rows} offset 0) as records
      ${values.reduce((before, next) => sql`${before} ${next}`, empty)}
      offset 0) as found
    group by ${groups.length === 0 ? sql`()` : join(groups, ', ')}
    limit ${maxGroups + 1}`
}

function columnOf(columns: readonly Column[], index: number): Sql {
  const column = columns[index]
  if (column === undefined) throw new TypeError(`the groups have no column ${String(index)}`)
  return column.name
}

/**
 * SQL for the value at a path, as `fields` finds it, or null if it is missing. A path with `[*]`
 * gives each distinct value once, and no row if there is none. With a language, values in other
 * languages are left out.
 */
function valuesOf({ path, name }: Read, language: string | undefined): Sql {
  const isGone = leadsToOther(language, path)
  if (!isWild(path)) {
    const value = isGone ? sql`null::jsonb` : path.steps.reduce(follow, sql`data`)
    return sql`select nullif(${value}, 'null') as ${name}`
  }
  const { from, value } = path.steps.reduce(
    (found, step) =>
      step.kind === 'each' || step.kind === 'every'
        ? followEach(found, language)
        : { ...found, value: follow(found.value, step) },
    { from: sql`(select) as record`, value: sql`data`, depth: 0 },
  )
  return sql`
    select distinct nullif(${value}, 'null') as ${name}
    from ${from} where ${value} is not null and ${!isGone}::boolean`
}

/** Values, and the rows that they are selected from. */
type Found = { readonly from: Sql; readonly value: Sql; readonly depth: number }

/** Steps into every element of an array, or every field of an object. */
function followEach({ from, value, depth }: Found, language: string | undefined): Found {
  const others = languages.filter((code) => code !== language)
  const parent =
    language === undefined
      ? value
      : sql`case when jsonb_typeof(${value}) = 'object' then (${value}) - ${others}::text[] else ${value} end`
  const child = identifier(`child ${String(depth)}`)
  return {
    from: sql`${from} cross join lateral jsonb_path_query(${parent}, 'strict $.**{1}') as ${child}`,
    value: child,
    depth: depth + 1,
  }
}

/** Steps by name into objects only, and by number into arrays only. */
function follow(value: Sql, step: Step): Sql {
  switch (step.kind) {
    case 'member':
      return sql`${value} -> ${step.name}::text`
    case 'element':
      return sql`jsonb_path_query_first(${value}, ${`strict $[${String(step.index)}]`}::jsonpath, '{}', true)`
    case 'each':
    case 'every':
      throw new TypeError('every element is more than one value')
  }
}

/**
 * SQL for an aggregate. Without values it is null, or 0 for a count. The minimum and maximum of a
 * group without numbers are its smallest and largest text.
 */
function compileAggregate({ name, path }: Aggregate, value: Sql): Sql {
  const number = numberIn(value)
  const text = sql`case when jsonb_typeof(${value}) = 'string' then (${value} #>> '{}') collate "C" end`
  switch (name) {
    case 'count':
      return sql`to_jsonb(count(${path === undefined ? sql`*` : value}))`
    case 'sum':
      return sql`to_jsonb(trim_scale(sum(${number})))`
    case 'avg':
      return sql`to_jsonb(round(avg(${number}), 300)::double precision)`
    case 'min':
      return sql`coalesce(to_jsonb(min(${number})), to_jsonb(min(${text})))`
    case 'max':
      return sql`coalesce(to_jsonb(max(${number})), to_jsonb(max(${text})))`
  }
}

/**
 * SQL for a number, or a text that represents one (decision D66), as `content_number` parses it. It
 * stays a decimal number, so that sums do not depend on the order of the records. Numbers that do
 * not fit into a double are skipped.
 */
function numberIn(value: Sql): Sql {
  return sql`
    case jsonb_typeof(${value})
      when 'number' then case when abs(${value}::numeric) < 1e300 then ${value}::numeric end
      when 'string' then replace(
        substring(${value} #>> '{}' from '^\\s*(-?[0-9]{1,15}(?:[.,][0-9]{1,30})?)\\s*$'), ',', '.')::numeric
    end`
}
