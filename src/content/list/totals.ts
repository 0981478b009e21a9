import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '../../storage/index.ts'
import { shareRunning } from '../../async/index.ts'
import { choiceOf } from './matches.ts'
import { loadTotal } from './load-page.ts'
import type { Total } from './load-page.ts'
import type { ListPlan } from './plan.ts'

const rememberedTotals = 10_000

/** Exact totals, remembered for as long as the dataset has not changed (decision D22). */
export type Totals = {
  /** The version is another one than was asked for when something was written in between. */
  readonly at: (database: Queryable, plan: ListPlan, version: string) => Promise<Total>
  /** About how many records match: the last total that was true. It is counted when there is none. */
  readonly expected: (database: Queryable, plan: ListPlan) => Promise<number>
}

/**
 * After a write, all who wait for a total wait for one count. Totals depend on the entity and its conditions only, so every page and format shares them. What
 * filters look up in other datasets (outlines of shapes, areas of a region) stands in the conditions,
 * so a total never outlives a change of those. What is read with the records has its own versions.
 */
export function createTotals(): Totals {
  const known = new LRUCache<string, number>({ max: rememberedTotals })
  const last = new LRUCache<string, number>({ max: rememberedTotals })
  const share = shareRunning<Total>()
  const count = async (database: Queryable, plan: ListPlan, conditions: string) => {
    const total = await loadTotal(database, plan)
    known.set(`${conditions} ${total.version}`, total.count)
    last.set(conditions, total.count)
    return total
  }
  return {
    at: async (database, plan, version) => {
      const conditions = conditionsOf(plan)
      const remembered = known.get(`${conditions} ${version}`)
      return remembered === undefined
        ? await share(`${conditions} ${version}`, () => count(database, plan, conditions))
        : { version, count: remembered }
    },
    expected: async (database, plan) => {
      const conditions = conditionsOf(plan)
      const counted = () => share(conditions, () => count(database, plan, conditions))
      return last.get(conditions) ?? (await counted()).count
    },
  }
}

function conditionsOf(plan: ListPlan): string {
  return digest([plan.entity.name, choiceOf(plan)])
}

/** Conditions may hold the outline of a country; what is remembered of them must stay small. */
function digest(conditions: unknown): string {
  return createHash('sha256').update(JSON.stringify(conditions)).digest('base64')
}
