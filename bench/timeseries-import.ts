import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { importFile } from '../src/push/index.ts'
import { sql } from '../src/sql/index.ts'
import { loadStations, measurementMessages, rows } from './fixtures/measurements.ts'
import { comparison } from './harness/bench.ts'
import { copyIn, copyOut } from './harness/copy.ts'
import type { Environment } from './harness/environment.ts'

/** All tables that an import of values writes to. */
const tables = ['measurement', 'latest', 'change'] as const

/**
 * A file of values imported into empty tables, compared with COPY of every row that this writes.
 */
export const timeseriesImport = comparison({
  name: 'timeseries-import',
  title: 'Imported values with latest ones and changes ÷ COPY of the same rows',
  goal: 0.6,
  unit: 'rows/s',
  prepare: async (environment) => {
    await loadStations(environment.store)
    const file = join(environment.postgresql.folder, 'values.ndjson')
    await writeFile(file, measurementMessages().join('\n'))
    await importValues({ environment, file })
    const copied = []
    for (const table of tables) copied.push(await copyOut(environment.postgresql, table))
    return { environment, file, copied }
  },
  ours: importValues,
  limit: async ({ environment, copied }) => {
    await empty(environment)
    let milliseconds = 0
    for (const table of copied) milliseconds += await copyIn(environment.postgresql, table)
    return (rows / milliseconds) * 1000
  },
})

type Importing = { readonly environment: Environment; readonly file: string }

async function importValues({ environment, file }: Importing): Promise<number> {
  await empty(environment)
  const { database, pipelines } = environment.store
  const ignore = () => undefined
  const request = { file, stream: 'bench/import', isAnew: true, onProgress: ignore }
  const started = performance.now()
  const { stored } = await importFile(
    { database, pipelines, now: () => new Date() },
    { ...request, onRejected: ignore },
  )
  if (stored !== rows) throw new Error(`${String(stored)} values were stored.`)
  return (rows / (performance.now() - started)) * 1000
}

async function empty({ store: { database } }: Environment): Promise<void> {
  await database.execute(sql`truncate measurement, latest, message, change`)
  await database.execute(sql`checkpoint`)
}
