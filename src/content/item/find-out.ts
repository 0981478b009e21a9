import { anonymous } from '../../access/index.ts'
import { sql } from '../../sql/index.ts'
import { toEntityId } from '../entity.ts'
import type { Entity, Narrowing, Query, Rewrite } from '../entity.ts'
import { readEach } from '../filters/index.ts'
import { isVisible } from '../list/plan.ts'
import type { Planning } from '../list/plan.ts'
import { tableOf } from '../table.ts'

/** What was found out about a record, and how it is to be shown. */
export type FoundOut = {
  readonly found: readonly Narrowing[]
  readonly rewrites: readonly { readonly rewrite: Rewrite; readonly basis: string }[]
}

type Asked = { readonly entity: Entity; readonly id: string; readonly query: Query }

/**
 * What the filters that a single read takes find out about its record, such as its free rooms. They
 * leave no record out: one that has none is shown without.
 * @throws AppError for values that cannot be taken, and for what the caller may not ask
 */
export async function findOut({ entity, id, query }: Asked, planning: Planning): Promise<FoundOut> {
  if (entity.itemFilters.length === 0) return { found: [], rewrites: [] }
  const { principal = anonymous, now, timeZone } = planning
  const scope = { entity, query, principal, now, timeZone }
  const record = sql`
    select id from ${tableOf(entity)}
    where id = ${toEntityId(entity, id)} and ${isVisible(entity, planning.visibility)}`
  const clauses = await readEach(entity.itemFilters, scope, planning)
  const found: Narrowing[] = []
  for (const { narrow } of clauses) if (narrow !== undefined) found.push(await narrow(record))
  const rewrites = clauses.flatMap(({ rewrite, parameter, text }) =>
    rewrite === undefined ? [] : [{ rewrite, basis: `${parameter}=${text}` }],
  )
  return { found, rewrites }
}
