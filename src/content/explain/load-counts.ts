import { all, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { countableOf } from '../list/matches.ts'
import type { ListPlan } from '../list/plan.ts'
import { tableOf } from '../table.ts'

export type Explaining = {
  readonly database: Queryable
  /** The condition of what the caller may see at all. */
  readonly visible: Sql
}

type Conditioned = { readonly condition: Sql }

export type Counts = {
  readonly visible: number
  readonly together: number
  /** In the order of the conditions. */
  readonly alone: readonly number[]
}

/**
 * Counts what conditions leave of what the caller may see, each alone. One count each, and not one
 * scan for all: so each finds its rows by its index. One statement, and so one snapshot.
 */
export async function loadCounts(
  deps: Explaining,
  plan: ListPlan,
  conditions: readonly Conditioned[],
): Promise<Counts> {
  const wanted = [
    deps.visible,
    ...conditions.map(({ condition }) => all([deps.visible, condition])),
  ]
  const [everything = sql``, ...each] = wanted.map(
    (condition) => sql`${tableOf(plan.entity)} where ${condition}`,
  )
  const counts = [everything, countableOf(plan), ...each].map(
    (matches) => sql`(select count(*) from ${matches})`,
  )
  const [row = []] = await deps.database.texts(sql`select ${join(counts, ', ')}`)
  const [visible = 0, together = 0, ...alone] = row.map(Number)
  return { visible, together, alone }
}
