import { createHash } from 'node:crypto'
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

/**
 * Totals depend on the entity and its conditions only, so every page and format shares them. What
 * filters look up in other datasets (outlines of shapes, areas of a region) stands in the conditions,
 * so a total never outlives a change of those.
 */
export function createTotals(database: Queryable): Totals {
  const known = new LRUCache<string, number>({ max: rememberedTotals })
  return async (plan, version) => {
    const { text, values } = plan.where
    const conditions = digest([plan.entity.name, text, values])
    const key = (at: string) => `${conditions} ${at}`
    const remembered = known.get(key(version))
    if (remembered !== undefined) return { version, count: remembered }
    const total = await loadTotal(database, plan)
    known.set(key(total.version), total.count)
    return total
  }
}

/** Conditions may hold the outline of a country; what is remembered of them must stay small. */
function digest(conditions: unknown): string {
  return createHash('sha256').update(JSON.stringify(conditions)).digest('base64')
}
