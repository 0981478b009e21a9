import { identifier, literal, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { archive } from './archive.ts'
import type { Partition } from './list-partitions.ts'
import { next } from './months.ts'
import type { Month } from './months.ts'

/**
 * Has PostgreSQL look through a table for what does not belong to its month, and keep it so. Otherwise
 * attaching would do it, which makers of other months wait for. A table that was detached concurrently
 * has such a constraint; one that was detached in one go has none.
 * @throws DatabaseError (check_violation) where a value lies outside the month
 */
export async function checkMonth(
  database: Database,
  { name, state }: Partition,
  month: Month,
): Promise<void> {
  const isMoved = state === 'moved'
  const table = isMoved ? sql`${archive.identifier}.${identifier(name)}` : identifier(name)
  const known = await database.query<{ name: string; isValid: boolean }>(sql`
    select conname::text as name, convalidated as "isValid" from pg_constraint
    join pg_attribute on attrelid = conrelid and conkey = array[attnum]
    where contype = 'c' and attname = 'valid_time'
      and conrelid = to_regclass(${isMoved ? `${archive.name}.${name}` : name})`)
  if (known.some(({ isValid }) => isValid)) return
  const constraint = identifier(known[0]?.name ?? 'within_month')
  if (known.length === 0) {
    const { from, to } = boundsOf(month)
    await database.execute(sql`
      alter table ${table} add constraint ${constraint}
      check (valid_time >= ${from} and valid_time < ${to}) not valid`)
  }
  await database.transaction(
    (tx) => tx.execute(sql`alter table ${table} validate constraint ${constraint}`),
    { statementTimeout: 0 },
  )
}

/** The first moment of a month and of the next one, as texts: bounds of partitions take no parameters. */
export function boundsOf(month: Month): { readonly from: Sql; readonly to: Sql } {
  return { from: literal(instantOf(month)), to: literal(instantOf(next(month))) }
}

/** The first moment of a month: ISO 8601 in its basic form. */
export function instantOf(month: Month): string {
  return `${month.replace('-', '')}01T000000Z`
}
