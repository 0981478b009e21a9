import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { residentMegabytes } from '../../bench/harness/resident-megabytes.ts'
import { openTestDatabase, postgresqlSettings } from '../../test/fixtures/database-settings.ts'
import { sql } from '../../src/sql/index.ts'
import type { Queryable } from '../../src/storage/index.ts'
import { growth } from './judge.ts'
import type { Growth } from './judge.ts'
import type { World } from './open-soak.ts'

/** Measures that must not grow with time, each with the growth that is insignificant. */
const measures = {
  'memory (MB)': 60,
  'open files': 20,
  'connections to the primary': 10,
  'bytes of a latest value': 10_000,
  'bytes of a message': 500,
} as const

type Measure = keyof typeof measures

const names = Object.keys(measures).filter((name): name is Measure => name in measures)

const every = 5000

/**
 * Samples the primary and the hub that is never restarted. No samples are taken while the primary
 * is down.
 */
export async function watchGrowth(
  world: World,
  stop: AbortSignal,
): Promise<Readonly<Record<string, Growth>>> {
  const samples: Record<Measure, number>[] = []
  const database = await openTestDatabase(postgresqlSettings(world.primary.url))
  while (!stop.aborted) {
    const sample = await takeSample(world, database).catch(() => undefined)
    if (sample !== undefined) samples.push(sample)
    await pause(every, undefined, { signal: stop }).catch(() => undefined)
  }
  await database.close()
  const of = (name: Measure) =>
    growth(
      samples.map((sample) => sample[name]),
      measures[name],
    )
  return Object.fromEntries(names.map((name) => [name, of(name)]))
}

async function takeSample(
  { steady }: World,
  database: Queryable,
): Promise<Record<Measure, number>> {
  const [row] = await database.query<{ connections: number; latest: number; message: number }>(sql`
    select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      pg_total_relation_size('latest')::float8 / (select greatest(count(*), 1) from latest) as latest,
      pg_total_relation_size('message')::float8 / (select greatest(count(*), 1) from message) as message`)
  if (row === undefined) throw new Error('A row was expected')
  return {
    'memory (MB)': await residentMegabytes(steady.hub),
    'open files': (await readdir(`/proc/${String(steady.hub.process.pid)}/fd`)).length,
    'connections to the primary': row.connections,
    'bytes of a latest value': row.latest,
    'bytes of a message': row.message,
  }
}
