import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  accommodation,
  highestId,
  loadAccommodations,
  lowestId,
} from './fixtures/accommodations.ts'
import { comparison } from './harness/bench.ts'
import type { Bench } from './harness/bench.ts'
import { databaseConnections, seconds } from './harness/conditions.ts'
import type { Environment } from './harness/environment.ts'
import { readNumber, runProgram } from './harness/run-program.ts'
import { send } from './harness/send.ts'

type Prepared = {
  readonly environment: Environment
  readonly body: string
  readonly script: string
}

type Write = {
  readonly name: string
  readonly title: string
  readonly method: 'POST' | 'PUT'
  readonly path: string
  /** Range of the numbers that follow the path; empty if the hub generates the id. */
  readonly numbers: readonly number[]
  /**
   * Returns the SQL that writes the same row, with its entries in the change log and the audit log.
   */
  readonly statement: (data: string) => string
}

const lines = { dataset: 'Accommodation', area: 'content' }

const writes: readonly Write[] = [
  {
    name: 'content-create',
    title: 'Created records of 5 KB ÷ the same inserts in pgbench',
    method: 'POST',
    path: '/v1/Accommodation',
    numbers: [],
    statement: (data) => `
\\set number random(1, 1000000000)
begin;
insert into content.accommodation (id, data, received)
select gen_random_uuid()::text, replace(${data}, '@', (:number)::text)::jsonb, now();
${noted('gen_random_uuid()::text', 'Create')}
commit;
`,
  },
  {
    name: 'content-update',
    title: 'Updated records of 5 KB ÷ the same updates in pgbench',
    method: 'PUT',
    path: '/v1/Accommodation/',
    numbers: [lowestId, highestId],
    statement: (data) => `
\\set number random(1, 1000000000)
\\set id random(${String(lowestId)}, ${String(highestId)})
begin;
update content.accommodation
set data = replace(${data}, '@', (:number)::text)::jsonb || jsonb_build_object('Id', (:id)::text),
  received = now()
where id = (:id)::text;
${noted('(:id)::text', 'Update')}
commit;
`,
  },
]

/** Returns the SQL of the log entries of a write. */
function noted(id: string, operation: string): string {
  const { area, dataset } = lines
  return `insert into change (area, dataset, id, kind) values ('${area}', '${dataset}', ${id}, 'upsert');
insert into audit (time, subject, name, client, operation, dataset, id, request)
values (now(), 'bench', 'bench', 'bench', '${operation}', '${dataset}', ${id}, gen_random_uuid());`
}

/** Single writes over HTTP, one record each, which are durable when the response arrives. */
export const contentWrites: readonly Bench[] = writes.map((write) =>
  comparison<Prepared>({
    name: write.name,
    title: write.title,
    goal: 0.4,
    unit: 'records/s',
    prepare: async (environment) => {
      await loadAccommodations(environment)
      const { folder } = environment.postgresql
      const { Id: _given, ...record } = accommodation(lowestId)
      const data = JSON.stringify({ ...record, Shortname: 'House @' })
      const body = join(folder, `${write.name}.json`)
      await writeFile(body, data)
      const script = join(folder, `${write.name}.sql`)
      // Hex-encoded, because a colon would start a variable of pgbench.
      const quoted = `convert_from(decode('${Buffer.from(data).toString('hex')}', 'hex'), 'UTF8')`
      await writeFile(script, write.statement(quoted))
      return { environment, body, script }
    },
    ours: (prepared) => loadHub(write, prepared),
    limit: async ({ environment: { postgresql }, script }) => {
      const load = ['-n', '-M', 'simple', '-c', String(databaseConnections), '-j', '1']
      const args = [...load, '-T', String(seconds), '-f', script, postgresql.url]
      const output = await runProgram(postgresql.program('pgbench'), args)
      return readNumber(output, /tps = ([\d.]+) \(without initial connection time\)/)
    },
  }),
)

async function loadHub({ method, path, numbers }: Write, { environment, body }: Prepared) {
  const { url, token } = environment.hub
  const sending = { url, method, path, body, numbers, token: await token('demo-admin') }
  return (await send(sending)).perSecond
}
