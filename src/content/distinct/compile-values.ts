import { all, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { FieldPath, Step } from '../fields/path.ts'
import type { ListPlan } from '../list/plan.ts'
import { dataOf } from '../representation/index.ts'
import { tableOf } from '../table.ts'
import { isEveryMember } from './columns.ts'
import type { Column } from './columns.ts'

type Records = Pick<ListPlan, 'entity' | 'reduced' | 'representation' | 'where'>

type Wanted = {
  readonly columns: readonly Column[]
  /** Whether null and the empty text are left out. */
  readonly excludesEmpty: boolean
}

/** Where records are read from: rows with `data`, as the caller sees it. */
export type Source = {
  readonly rows: Sql
  /** The record for these paths: without closed members where one may lead into them. */
  readonly dataFor: (columns: readonly Column[]) => Sql
}

/** The stored records that match, without what the caller may not see of them (decision D34). */
export function storedSource(records: Records): Source {
  const { entity, reduced, where } = records
  const closed = ['_Meta', '*', ...entity.closedMembers]
  const isOpen = ({ path: { steps } }: Column) =>
    steps[0]?.kind === 'member' && !closed.includes(steps[0].name)
  return {
    rows: sql`${tableOf(entity)} where ${where}`,
    dataFor: (columns) =>
      !reduced || columns.every(isOpen) ? sql`data` : sql`(${dataOf(records)})`,
  }
}

/** Records that were made on read: JSON texts. */
export function madeSource(texts: readonly string[]): Source {
  return {
    rows: sql`(select text::jsonb as data from unnest(${texts}::text[]) as made (text)) as made`,
    dataFor: () => sql`data`,
  }
}

/**
 * The distinct rows: each column the text of a value. A path that a record does not have gives no row;
 * with several paths, no row where it has none of them, and null for those that it lacks.
 */
export function compileValues(source: Source, { columns, excludesEmpty }: Wanted): Sql {
  const texts = columns.map(({ name }) => sql`(${name} #>> '{}') collate "C" as ${name}`)
  const present = columns.map(({ name }) => sql`${name} is not null`)
  const says = columns.map(({ name }) => sql`${name} #>> '{}' <> ''`)
  const isThere = sql`(${join(present, ' or ')})`
  return sql`
    select distinct ${join(texts, ', ')}
    from (${foundBy(source, columns)}) as found
    where ${all([isThere, ...(excludesEmpty ? says : [])])}`
}

/**
 * The JSON at each path. `offset 0` keeps the planner from reading the record anew for every mention of
 * a value: unpacking it is what costs.
 */
function foundBy({ rows, dataFor }: Source, columns: readonly Column[]): Sql {
  const [only, ...others] = columns
  if (only !== undefined && others.length === 0) {
    return sql`select ${valuesAt(only.path, dataFor(columns))} as ${only.name} from ${rows} offset 0`
  }
  const names = columns.map(({ name }) => name)
  const joins = columns.map(
    ({ name, path }) =>
      sql`left join lateral (select ${valuesAt(path, sql`data`)} as ${name}) as ${name} on true`,
  )
  return sql`
    select ${join(names, ', ')}
    from (select ${dataFor(columns)} as data from ${rows} offset 0) as records
    ${joins.reduce((before, next) => sql`${before} ${next}`)}
    offset 0`
}

/** A member of the record is there or not; whatever goes deeper may lead to any number of values. */
function valuesAt({ steps }: FieldPath, data: Sql): Sql {
  const [first, ...rest] = steps
  if (rest.length === 0 && first?.kind === 'member' && !isEveryMember(first)) {
    return sql`${data} -> ${first.name}::text`
  }
  return sql`jsonb_path_query(${data}, ${toJsonPath(steps)}::jsonpath)`
}

/** As reference content.md 6.4 has it: a path in the lax mode of PostgreSQL, which looks into arrays. */
function toJsonPath(steps: readonly Step[]): string {
  return `lax $${steps.map(toAccessor).join('')}`
}

function toAccessor(step: Step): string {
  switch (step.kind) {
    case 'each':
      return '[*]'
    case 'element':
      return `[${String(step.index)}]`
    case 'member':
      return isEveryMember(step) ? '.*' : `.${JSON.stringify(step.name.toWellFormed())}`
  }
}
