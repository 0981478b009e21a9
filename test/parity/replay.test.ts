import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { openTestDatabase } from '../fixtures/database-settings.ts'
import { cloneDatabase } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { fillRegion, hashOfExports } from '../fixtures/small-region.ts'
import { coverPieces, isSame, loadStatements, replay, toStatement } from './statements.ts'

// Replays the statements that the tests of this run sent to PostgreSQL, on PostgreSQL and on the
// embedded engine with equal data. Runs enough of the distinct statements to cover every piece, or
// all of them with TEST_ENGINES=both.

const recorded = loadStatements(join(inject('scratch'), 'statements'))
const statements = process.env['TEST_ENGINES'] === 'both' ? recorded : coverPieces(recorded)
const title = 'Statements of all tests'
const reason = '[left out: no test on PostgreSQL ran before it]'

describe.skipIf(statements.length === 0)(
  statements.length === 0 ? `${title} ${reason}` : title,
  () => {
    const clones: TestDatabase[] = []
    let postgresql: Database
    let embedded: Database

    const open = async (engine: Database['engine']) => {
      const clone = await cloneDatabase(engine)
      clones.push(clone)
      const database = await openTestDatabase(clone.settings)
      await fillRegion(database)
      return database
    }
    beforeAll(async () => {
      ;[postgresql, embedded] = await Promise.all([open('postgresql'), open('embedded')])
    }, 180_000)
    afterAll(async () => {
      await postgresql.close()
      await embedded.close()
      for (const clone of clones) await clone.drop()
    })

    it('create the same region, compared by its exports', async () => {
      const hashes = await Promise.all([postgresql, embedded].map(hashOfExports))
      expect(hashes[0]).toHaveLength(64)
      expect(hashes[1]).toBe(hashes[0])
    })

    it('return the same rows on both engines, or are refused with the same SQLSTATE', async () => {
      await copyRows(postgresql, embedded)
      const counts = { recorded: recorded.length, all: statements.length, withRows: 0, refused: 0 }
      const differences: unknown[] = []
      for (const statement of statements) {
        const [expected, got] = await Promise.all([
          replay(postgresql, statement),
          replay(embedded, statement),
        ])
        if (!isSame(expected, got)) differences.push({ ...statement, expected, got })
        if ('refused' in expected) counts.refused += 1
        else if (expected.rows.length > 0) counts.withRows += 1
      }
      console.log(counts)
      for (const one of differences) console.log(JSON.stringify(one).slice(0, 3000))
      // Statements of random tests may differ in the last digit; they are printed above.
      expect(differences.length).toBeLessThanOrEqual(statements.length / 1000)
      expect(counts.withRows).toBeGreaterThan(counts.all / 2)
    }, 600_000)
  },
)

/** Copies all rows, including numbers assigned by sequences and transactions. */
async function copyRows(from: Database, to: Database): Promise<void> {
  await from.execute(sql`update change set xid = '3'`)
  const tables = await from.texts(sql`
    select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'content')
      and c.relname <> 'spatial_ref_sys'`)
  const sequences = await from.texts(sql`
    select format('%I.%I', schemaname, sequencename), last_value::text from pg_sequences
    where last_value is not null`)
  await to.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    for (const [name] of tables) {
      const table = toStatement({ text: name ?? '', values: [] })
      const rows = await from.texts(sql`select one::text from ${table} one`)
      await tx.execute(sql`delete from ${table}`)
      await tx.execute(sql`
        insert into ${table} overriding system value
        select (row::${table}).* from unnest(${rows.flat()}::text[]) as row`)
    }
    for (const [name, value] of sequences)
      await tx.texts(sql`select setval(${name}::regclass, ${value}::bigint)`)
  })
}
