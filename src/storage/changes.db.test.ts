import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { cloneDatabase, describeOn, describeWithDatabase } from '../../test/fixtures/databases.ts'
import { openTestDatabase } from '../../test/fixtures/database-settings.ts'
import { sql } from '../sql/index.ts'
import { datasetVersion, versionOfDataset, recordChanges } from './changes.ts'
import type { Database, Transaction } from './database.ts'

const change = (tx: Transaction, dataset: string, ids: readonly string[]) =>
  recordChanges(tx, { area: 'content', dataset, kind: 'upsert', ids })

describeWithDatabase('changes', (database) => {
  it('are one row for each id, in order', async () => {
    await database().transaction((tx) =>
      recordChanges(tx, { area: 'content', dataset: 'Rows', kind: 'delete', ids: ['b', 'a', "'"] }),
    )
    const rows = await database().query(
      sql`select area, id, kind from change where dataset = 'Rows' order by sequence`,
    )
    expect(rows).toEqual(['b', 'a', "'"].map((id) => ({ area: 'content', id, kind: 'delete' })))
  })

  it('are none, and keep the version, when nothing was written', async () => {
    const before = await datasetVersion(database(), 'Nothing')
    await database().transaction((tx) => change(tx, 'Nothing', []))
    expect(await datasetVersion(database(), 'Nothing')).toBe(before)
  })

  it('change the version of the dataset with every write, and only then', async () => {
    const versions = [await datasetVersion(database(), 'Mine')]
    for (const id of ['a', 'b', 'a']) {
      await database().transaction((tx) => change(tx, 'Mine', [id]))
      versions.push(await datasetVersion(database(), 'Mine'))
      await database().transaction((tx) => change(tx, 'Other', [id]))
      expect(await datasetVersion(database(), 'Mine')).toBe(versions.at(-1))
    }
    expect(new Set(versions).size).toBe(4)
  })

  it('keep the version when their transaction is rolled back', async () => {
    await database().transaction((tx) => change(tx, 'Kept', ['a']))
    const before = await datasetVersion(database(), 'Kept')
    const work = database().transaction(async (tx) => {
      await change(tx, 'Kept', ['b'])
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await datasetVersion(database(), 'Kept')).toBe(before)
  })

  it('are compared by transaction number, not as text', async () => {
    await database().execute(sql`insert into change (area, dataset, id, kind, xid)
      values ('content', 'Numbers', 'a', 'upsert', '9'), ('content', 'Numbers', 'b', 'upsert', '10')`)
    expect(await datasetVersion(database(), 'Numbers')).toBe('10.0')
  })

  it('need only a few index pages to find the version, however many they are', async () => {
    await database().execute(sql`insert into change (area, dataset, id, kind)
      select 'content', 'Large', n::text, 'upsert' from generate_series(1, 20000) n`)
    const pagesRead = async () => {
      const plan = await database().texts(
        sql`explain (analyze, buffers) select ${versionOfDataset(sql`name`)} from (values ('Large' collate "C")) as one (name)`,
      )
      const pages = /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(plan.flat().join('\n'))
      return Number(pages?.[1]) + Number(pages?.[2] ?? 0)
    }
    // Transactions of other tests on this server that are older than the changes must end first.
    await vi.waitFor(
      async () => {
        expect(await pagesRead()).toBeLessThan(30)
      },
      { timeout: 30_000 },
    )
  })
})

describeOn('postgresql', 'datasetVersion with concurrent transactions', () => {
  type Writer = { readonly commit: () => Promise<void> }

  /** Starts a transaction that has written and stays open until `commit`. */
  async function startWriter(database: Database, dataset: string): Promise<Writer> {
    const written = Promise.withResolvers<undefined>()
    const released = Promise.withResolvers<undefined>()
    const done = database.transaction(async (tx) => {
      await change(tx, dataset, [randomUUID()])
      written.resolve(undefined)
      await released.promise
    })
    await written.promise
    return {
      commit: () => {
        released.resolve(undefined)
        return done
      },
    }
  }

  const withDatabase = async (work: (database: Database) => Promise<void>) => {
    const clone = await cloneDatabase('postgresql')
    const database = await openTestDatabase({ ...clone.settings, HUB_DATABASE_CONNECTIONS: 10 })
    await work(database)
    await database.close()
    await clone.drop()
  }

  it('changes with every commit, even if commits are not in the order of sequences', () =>
    withDatabase(async (database) => {
      const first = await startWriter(database, 'Station')
      const second = await startWriter(database, 'Station')
      const third = await startWriter(database, 'Station')
      const versions = [await datasetVersion(database, 'Station')]
      for (const writer of [third, second, first]) {
        await writer.commit()
        versions.push(await datasetVersion(database, 'Station'))
      }
      expect(new Set(versions).size).toBe(4)
    }))

  it('changes with every commit while an older transaction of another dataset stays open', () =>
    withDatabase(async (database) => {
      const old = await startWriter(database, 'Other')
      const versions = [await datasetVersion(database, 'Station')]
      for (let time = 0; time < 3; time++) {
        await (await startWriter(database, 'Station')).commit()
        versions.push(await datasetVersion(database, 'Station'))
      }
      expect(new Set(versions).size).toBe(4)
      const last = versions.at(-1)
      await old.commit()
      // The old transaction has ended: its highest transaction now identifies the same rows.
      expect(await datasetVersion(database, 'Station')).not.toBe(last)
    }))

  it('is never the same for two states, in any order of starts and commits', () =>
    withDatabase(async (database) => {
      const seen = new Map<string, string>()
      const look = async () => {
        const [row] = await database.query<{ version: string; state: string }>(sql`select
          ${versionOfDataset(sql`'Station'`)} as version,
          (select coalesce(string_agg(sequence::text, ',' order by sequence), '') from change
            where dataset = 'Station') as state`)
        if (row === undefined) throw new Error('no row')
        expect(seen.get(row.version) ?? row.state).toBe(row.state)
        seen.set(row.version, row.state)
      }
      let seed = 7
      const dice = (sides: number) => (seed = (seed * 16_807) % 2_147_483_647) % sides
      const open: Writer[] = []
      for (let step = 0; step < 120; step++) {
        if (open.length < 6 && dice(2) === 0) {
          open.push(await startWriter(database, dice(3) === 0 ? 'Other' : 'Station'))
        } else {
          await open.splice(dice(open.length || 1), 1)[0]?.commit()
        }
        await look()
      }
      for (const writer of open) await writer.commit()
      await look()
      expect(seen.size).toBeGreaterThan(30)
    }))
})
