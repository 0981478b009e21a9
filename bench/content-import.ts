import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { importFile } from '../src/push/index.ts'
import { sql } from '../src/sql/index.ts'
import type { Sql } from '../src/sql/index.ts'
import type { Database } from '../src/storage/index.ts'
import { accommodation, lowestId } from './fixtures/accommodations.ts'
import { comparison } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { notingTransactions } from './harness/noting.ts'

const records = 10_000
const recordsPerLine = 500

/**
 * Imports a file in the format of `hub export` into an empty table, compared with the bare inserts
 * of that import.
 */
export const contentImport = comparison({
  name: 'content-import',
  title: 'Imported records of 5 KB ÷ the same inserts run bare',
  goal: 0.4,
  unit: 'records/s',
  prepare: async (environment) => {
    const file = join(environment.postgresql.folder, 'import.ndjson')
    await writeFile(file, [...lines()].join('\n'))
    const seen: Sql[][] = []
    await empty(environment)
    await importInto(environment, notingTransactions(environment.store.database, seen), file)
    const inserts = seen.map((statements) => statements.filter(isInsert))
    if (inserts.flat().length < records / recordsPerLine) {
      throw new Error('The import runs other statements than this bench knows.')
    }
    return { environment, file, inserts }
  },
  ours: async ({ environment, file }) => {
    await empty(environment)
    return rateOf(() => importInto(environment, environment.store.database, file))
  },
  limit: async ({ environment, inserts }) => {
    await empty(environment)
    const { database } = environment.store
    return rateOf(async () => {
      for (const statements of inserts) {
        await database.transaction(async (tx) => {
          for (const statement of statements) await tx.execute(statement)
        })
      }
    })
  },
})

/** Generates the lines of the file. They are events, which no other bench reads. */
function* lines() {
  for (let first = 0; first < records; first += recordsPerLine) {
    const items = Array.from({ length: recordsPerLine }, (_, index) => {
      const { AccoDetail, ...record } = accommodation(lowestId + first + index)
      return { ...record, Detail: AccoDetail }
    })
    yield JSON.stringify({ kind: 'content', entity: 'Event', items })
  }
}

const isInsert = ({ text }: Sql) => /insert into content\."?event"? /.test(text)

async function importInto({ store: { pipelines } }: Environment, database: Database, file: string) {
  const ignore = () => undefined
  const deps = { database, pipelines, now: () => new Date() }
  const request = { file, stream: 'bench/import', isAnew: true }
  const outcome = await importFile(deps, { ...request, onProgress: ignore, onRejected: ignore })
  if (outcome.stored !== records) throw new Error(`${outcome.stored} records were stored.`)
}

async function empty({ store: { database } }: Environment): Promise<void> {
  await database.execute(sql`truncate content.event, message`)
  await database.execute(sql`checkpoint`)
}

async function rateOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (records / (performance.now() - started)) * 1000
}
