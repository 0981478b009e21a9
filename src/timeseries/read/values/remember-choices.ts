import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { shareRunning } from '../../../async/index.ts'
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
  const share = shareRunning<ChosenSeries | undefined>()
  return async (stages, versions) => {
    const key = keyOf(stages)
    const [row] = await database.texts(sql`select ${versions}, ${catalogue}`)
    const [current = '', present = ''] = row?.map((text) => text ?? '') ?? []
    const remembered = known.get(key)
    if (remembered?.catalogue === present) return { ...remembered, versions: current }
    // After a change everybody wants the same anew.
    const chosen = await share(`${key} ${present}`, () => chooseSeries(database, stages, versions))
    if (chosen === undefined) return undefined
    known.set(key, chosen)
    return { ...chosen, versions: current }
  }
}

function keyOf({ series: { from, where, order } }: Stages): string {
  const parts = [from, where, ...order].map(({ text, values }) => [text, values])
  return hash('sha256', JSON.stringify(parts), 'base64')
}
