import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import { catalogue, chooseSeries } from './choose-series.ts'
import type { ChosenSeries } from './choose-series.ts'
import type { Stages } from './stages.ts'

/** @returns undefined when there are too many to be held in memory */
export type ChooseSeries = (stages: Stages, versions: Sql) => Promise<ChosenSeries | undefined>

/** Series of all choices together; each takes some 200 bytes. */
const mostRemembered = 100_000

/**
 * Chooses series, and remembers for the next request what was chosen: to join, test and order them takes
 * longer than to read their latest values. Values come all the time, stations and series hardly ever. The
 * caller's rights stand in the conditions, so nobody gets the choice of somebody else.
 */
export function rememberChoices(database: Queryable): ChooseSeries {
  const known = new LRUCache<string, ChosenSeries>({
    maxSize: mostRemembered,
    sizeCalculation: ({ ids }) => ids.length + 1,
  })
  return async (stages, versions) => {
    const key = keyOf(stages)
    const remembered = known.get(key)
    if (remembered !== undefined) {
      const [row] = await database.texts(sql`select ${versions}, ${catalogue}`)
      if (row?.[1] === remembered.catalogue) return { ...remembered, versions: row[0] ?? '' }
    }
    const chosen = await chooseSeries(database, stages, versions)
    if (chosen !== undefined) known.set(key, chosen)
    return chosen
  }
}

function keyOf({ series: { from, where, order } }: Stages): string {
  const parts = [from, where, ...order].map(({ text, values }) => [text, values])
  return hash('sha256', JSON.stringify(parts), 'base64')
}
