import { beforeAll, expect, it } from 'vitest'
import { describeOnBothEngines, useDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import type { Transaction } from './database.ts'

describeOnBothEngines('a transaction', (engine) => {
  const database = useDatabase(engine)
  beforeAll(() => database().execute(sql`create table entry (name text primary key)`))

  const insert = (tx: Transaction, name: string) =>
    tx.execute(sql`insert into entry values (${name})`)
  const stored = async (prefix: string) => {
    const rows = await database().query<{ name: string }>(
      sql`select name from entry where starts_with(name, ${prefix}) order by name`,
    )
    return rows.map(({ name }) => name)
  }

  it('commits when its work resolves, and returns the result', async () => {
    const answer = await database().transaction(async (tx) => {
      await insert(tx, 'commit 1')
      return insert(tx, 'commit 2')
    })
    expect(answer).toBe(1)
    expect(await stored('commit')).toEqual(['commit 1', 'commit 2'])
  })

  it('copies rows on PostgreSQL, and continues after a failed copy is rolled back', async () => {
    await database().transaction(async ({ copy, execute }) => {
      expect(copy !== undefined).toBe(engine === 'postgresql')
      if (copy === undefined) return
      const statement = sql`copy entry (name) from stdin`
      await copy(statement, 'copy 1\ncopy 2 à\n')
      await execute(sql`savepoint before`)
      await expect(copy(statement, 'copy 3\ncopy 1\n')).rejects.toMatchObject({ code: '23505' })
      await execute(sql`rollback to savepoint before`)
      await copy(statement, 'copy 4\n')
    })
    const copied = engine === 'postgresql' ? ['copy 1', 'copy 2 à', 'copy 4'] : []
    expect(await stored('copy')).toEqual(copied)
  })

  it('rolls back when its work throws, and throws the same error', async () => {
    const reason = new Error('changed my mind')
    const work = database().transaction(async (tx) => {
      await insert(tx, 'rollback')
      throw reason
    })
    await expect(work).rejects.toBe(reason)
    expect(await stored('rollback')).toEqual([])
  })

  it('rejects instead of committing when the error of a statement was swallowed', async () => {
    const work = database().transaction(async (tx) => {
      await insert(tx, 'swallowed')
      await insert(tx, 'swallowed').catch(() => undefined)
    })
    await expect(work).rejects.toThrow(/Nothing was committed/)
    expect(await stored('swallowed')).toEqual([])
  })

  it('runs concurrent statements one after the other, in order', async () => {
    const seen = await database().transaction((tx) =>
      Promise.all([
        insert(tx, 'order 1'),
        tx.query(sql`select count(*)::int as n from entry where starts_with(name, 'order')`),
        insert(tx, 'order 2'),
      ]),
    )
    expect(seen).toEqual([1, [{ n: 1 }], 1])
  })

  it('commits a statement that its work did not wait for', async () => {
    await database().transaction((tx) => {
      void insert(tx, 'not awaited')
      return Promise.resolve()
    })
    expect(await stored('not awaited')).toEqual(['not awaited'])
  })

  it('refuses its `tx` after its end', async () => {
    const leaked = await database().transaction((tx) => Promise.resolve(tx))
    await expect(insert(leaked, 'leaked')).rejects.toThrow(/transaction is over/)
  })

  it('refuses a second connection inside it, instead of waiting for ever', async () => {
    const ways: readonly (() => Promise<unknown>)[] = [
      () => database().query(sql`select 1`),
      () => database().read.texts(sql`select 1`),
      () => database().transaction(() => Promise.resolve()),
      () => database().ping(),
    ]
    for (const way of ways) {
      const work = database().transaction(() => way())
      await expect(work).rejects.toThrow(/second connection inside a transaction/)
    }
  })

  it('lets work that it started use the database after its end', async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<undefined>()
    let later: Promise<readonly unknown[]> = Promise.resolve([])
    await database().transaction(() => {
      later = over.then(() => database().query(sql`select 1 as one`))
      return Promise.resolve()
    })
    end(undefined)
    expect(await later).toEqual([{ one: 1 }])
  })

  it('is usable again after many failures', async () => {
    const fail = () => database().transaction((tx) => tx.query(sql`select 1 / ${0}::int`))
    for (let time = 0; time < 20; time++) await expect(fail()).rejects.toThrow(/division by zero/)
    await database().ping()
  })
})
