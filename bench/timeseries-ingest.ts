import { sql } from '../src/sql/index.ts'
import type { Sql } from '../src/sql/index.ts'
import type { Transaction } from '../src/storage/index.ts'
import { storeMeasurements } from '../src/timeseries/index.ts'
import type { MeasurementsWrite } from '../src/timeseries/index.ts'
import { loadStations, measurementItems, stationType } from './fixtures/measurements.ts'
import { comparison } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { noting } from './harness/noting.ts'

/** Batches of 10,000 values, each stored in its own transaction. */
export const timeseriesIngest = comparison({
  name: 'timeseries-ingest',
  title: 'Batches of 10,000 values: stored ÷ the same upserts run bare',
  goal: 0.5,
  unit: 'rows/s',
  prepare: async (environment) => {
    await loadStations(environment.store)
    const batches = measurementItems().map((items): MeasurementsWrite => {
      const provenance = { name: 'bench', version: '1', lineage: 'bench' }
      return { stationType, period: 60, provenance, items, received: new Date() }
    })
    return { environment, batches, upserts: await upsertsOf(environment, batches) }
  },
  ours: ({ environment, batches }) =>
    rateOf(environment, batches, async (tx, batch) => {
      await storeMeasurements(tx, batch)
    }),
  limit: ({ environment, batches, upserts }) =>
    rateOf(environment, batches, async (tx, batch) => {
      for (const statement of upserts.get(batch) ?? []) await tx.execute(statement)
    }),
})

type Store = (tx: Transaction, batch: MeasurementsWrite) => Promise<void>

async function rateOf(
  { store: { database } }: Environment,
  batches: readonly MeasurementsWrite[],
  store: Store,
): Promise<number> {
  await database.execute(sql`truncate measurement, latest`)
  await database.execute(sql`checkpoint`)
  const started = performance.now()
  for (const batch of batches) await database.transaction((tx) => store(tx, batch))
  const seconds = (performance.now() - started) / 1000
  return batches.reduce((rows, { items }) => rows + items.length, 0) / seconds
}

/** Records the upserts that the hub itself runs for each batch, with their values. */
async function upsertsOf(
  { store: { database } }: Environment,
  batches: readonly MeasurementsWrite[],
): Promise<ReadonlyMap<MeasurementsWrite, readonly Sql[]>> {
  const upserts = new Map<MeasurementsWrite, readonly Sql[]>()
  for (const batch of batches) {
    const seen: Sql[] = []
    const isUpsert = ({ text }: Sql) => /insert into (?:measurement|latest) /.test(text)
    // Without `copy`, which the hub prefers for new values, because a copy cannot be run again as a
    // statement.
    await database.transaction(({ copy: _copy, ...tx }) =>
      storeMeasurements(noting(tx, seen), batch),
    )
    upserts.set(batch, seen.filter(isUpsert))
  }
  return upserts
}
