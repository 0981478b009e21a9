import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from '../src/sql/index.ts'
import { loadStations } from './fixtures/measurements.ts'
import { comparison } from './harness/bench.ts'
import { databaseConnections, seconds } from './harness/conditions.ts'
import type { Environment } from './harness/environment.ts'
import { readNumber, runProgram } from './harness/run-program.ts'
import { send } from './harness/send.ts'

const bytes = 1024

/** Messages that are durably stored and acknowledged. Their processing is not awaited. */
export const pushSmall = comparison({
  name: 'push-small',
  title: 'Accepted messages of 1 KB ÷ the same rows inserted by pgbench',
  goal: 0.5,
  unit: 'messages/s',
  prepare: async (environment) => {
    await loadStations(environment.store)
    const body = join(environment.postgresql.folder, 'push-small.json')
    await writeFile(body, messageOf(bytes))
    const script = join(environment.postgresql.folder, 'push-small.sql')
    await writeFile(script, insertion)
    return { environment, body, script }
  },
  ours: async ({ environment, body }) => {
    await empty(environment)
    const { url, token } = environment.hub
    const sending = { url, method: 'POST', path: '/push/demo/small', body } as const
    const { answers, perSecond } = await send({ ...sending, token: await token('demo-provider') })
    await assertStored(environment, answers)
    return perSecond
  },
  limit: async ({ environment, script }) => {
    await empty(environment)
    const { postgresql } = environment
    const load = ['-n', '-M', 'prepared', '-c', String(databaseConnections), '-j', '1']
    const args = [...load, '-T', String(seconds), '-f', script, postgresql.url]
    const output = await runProgram(postgresql.program('pgbench'), args)
    return readNumber(output, /tps = ([\d.]+) \(without initial connection time\)/)
  },
})

/** Creates a message with as many values of one station as fit. */
function messageOf(length: number): string {
  const head = { kind: 'measurements', stationType: 'BenchStation', period: 60 }
  const item = (minute: number) => [
    'bench-1',
    'quantity-1',
    new Date(minute * 60_000).toISOString(),
    1,
  ]
  const items: unknown[] = []
  while (JSON.stringify({ ...head, items: [...items, item(items.length)] }).length <= length) {
    items.push(item(items.length))
  }
  return JSON.stringify({ ...head, items }).padEnd(length)
}

/**
 * Inserts a row like that of an accepted message, with 1,024 bytes that compress as little as JSON
 * of numbers.
 */
const insertion = `insert into message
  (id, stream, received, sender, may_backdate, content_type, headers, bytes, body, packed, sha256)
select gen_random_uuid(), 'demo/small', now(), 'demo-provider', false, 'application/json', '{}', ${String(bytes)},
  convert_to(rpad('{"kind":"pgbench"}', ${String(bytes)}, 'x'), 'UTF8'), null,
  sha256('\\x00'::bytea);
`

async function empty({ store }: Environment): Promise<void> {
  await store.database.execute(sql`truncate message, push_key`)
  await store.database.execute(sql`checkpoint`)
}

/**
 * Checks that every accepted message is stored. There may be more, because requests in progress at
 * the end are stored too.
 */
async function assertStored({ store }: Environment, accepted: number): Promise<void> {
  const [row] = await store.database.query<{ count: string }>(
    sql`select count(*) as count from message where stream = 'demo/small'`,
  )
  if (Number(row?.count) < accepted) {
    throw new Error(`${String(row?.count)} of ${accepted} accepted messages are stored.`)
  }
}
