import { LRUCache } from 'lru-cache'
import type { Queryable } from '../../storage/index.ts'
import { loadTotal } from './load-page.ts'
import type { Total } from './load-page.ts'
import type { ListPlan } from './plan.ts'

const rememberedTotals = 10_000

/**
 * Exact totals, remembered for as long as the dataset has not changed (decision D22). The version is
 * another one than was asked for when something was written in between.
 */
export type Totals = (plan: ListPlan, version: string) => Promise<Total>

/** Totals depend on the entity and its conditions only, so every page and format shares them. */
export function createTotals(database: Queryable): Totals {
  const known = new LRUCache<string, number>({ max: rememberedTotals })
  return async (plan, version) => {
    const key = (at: string) =>
      JSON.stringify([plan.entity.name, at, plan.where.text, plan.where.values])
    const remembered = known.get(key(version))
    if (remembered !== undefined) return { version, count: remembered }
    const total = await loadTotal(database, plan)
    known.set(key(total.version), total.count)
    return total
  }
}
