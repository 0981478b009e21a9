import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import type { Database } from './database.ts'
import { isPassing } from './pg-errors.ts'
import { joinDatabase, portOf, relayedDatabase, serveDatabase, shareDatabase } from './relay.ts'

describeWithDatabase('A database that another thread uses', (database) => {
  let relayed: Database
  let endTransactions: () => void
  let close: () => void

  beforeEach(async () => {
    const { port1, port2 } = new MessageChannel()
    endTransactions = serveDatabase(database(), portOf(port1))
    relayed = relayedDatabase(portOf(port2), database().engine)
    close = () => {
      port1.close()
    }
    await database().execute(sql`create table if not exists entry (name text)`)
    await database().execute(sql`truncate entry`)
  })
  afterEach(() => {
    close()
  })

  const names = async () => (await database().texts(sql`select name from entry order by 1`)).flat()

  it('accepts and returns values like the database itself', async () => {
    const list = ['a"b', 'c\\d', 'é,{}', '', null]
    const statement = sql`
      select ${list}::text[] as texts, ${[1, 2.5]}::double precision[] as numbers, ${'x'}::text as text,
        ${new Date(0)}::timestamptz as time, ${Buffer.from([0, 255])}::bytea as bytes, ${null}::text as none`
    const [row] = await relayed.query(statement)
    const [direct] = await database().query(statement)
    expect({ ...row, bytes: undefined }).toEqual({ ...direct, bytes: undefined })
    expect(row?.['bytes']).toEqual(new Uint8Array([0, 255]))
    expect(await relayed.texts(sql`select 1, null`)).toEqual([['1', null]])
    await relayed.ping()
  })

  it('commits a transaction, and rolls back one that failed', async () => {
    await relayed.transaction((tx) => tx.execute(sql`insert into entry values ('kept')`))
    const failed = relayed.transaction(async (tx) => {
      await tx.execute(sql`insert into entry values ('gone')`)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await names()).toEqual(['kept'])
  })

  it('continues a transaction after a rollback to a savepoint', async () => {
    await relayed.transaction(async (tx) => {
      await tx.execute(sql`savepoint here`)
      await expect(tx.execute(sql`select 1 / ${0}::integer`)).rejects.toMatchObject({
        code: '22012',
      })
      await tx.execute(sql`rollback to savepoint here`)
      await tx.execute(sql`insert into entry values ('after')`)
    })
    expect(await names()).toEqual(['after'])
  })

  it('keeps the meaning of errors', async () => {
    const collision = relayed.query(sql`do $$ begin raise sqlstate '40P01'; end $$`)
    expect(isPassing(await collision.catch((error: unknown) => error))).toBe(true)
    const full = relayed.query(sql`do $$ begin raise sqlstate '53100'; end $$`)
    const error: unknown = await full.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'HUB-SRV-006', status: 503 })
    expect(isPassing(error)).toBe(true)
  })

  it('rolls back the transactions of a thread that has ended', async () => {
    const stuck = Promise.withResolvers<undefined>()
    const begun = Promise.withResolvers<undefined>()
    void relayed.transaction(async (tx) => {
      await tx.execute(sql`insert into entry values ('lost')`)
      begun.resolve(undefined)
      await stuck.promise
    })
    await begun.promise
    endTransactions()
    expect(await names()).toEqual([])
  })

  it('rolls back a transaction that starts after its thread has ended', async () => {
    const free = Promise.withResolvers<undefined>()
    const ended = Promise.withResolvers<unknown>()
    const transaction: Database['transaction'] = async (work, limits) => {
      await free.promise
      const run = database().transaction(work, limits)
      run.then(ended.resolve, ended.resolve)
      return run
    }
    const { port1, port2 } = new MessageChannel()
    const end = serveDatabase({ ...database(), transaction }, portOf(port1))
    const other = relayedDatabase(portOf(port2), database().engine)
    const lost = other.transaction((tx) => tx.execute(sql`insert into entry values ('lost')`))
    await other.ping()
    end()
    port1.close()
    await expect(lost).rejects.toMatchObject({ code: 'HUB-SRV-002' })
    free.resolve(undefined)
    expect(String(await ended.promise)).toContain('rollback')
    expect(await names()).toEqual([])
  })

  it('accepts a large value over a socket in time linear in its size', async () => {
    const place = { dataDir: mkdtempSync(join(tmpdir(), 'hub-')), platform: process.platform }
    onTestFinished(() => {
      rmSync(place.dataDir, { recursive: true })
    })
    const execute: Database['execute'] = ({ values }) => Promise.resolve(String(values[0]).length)
    const end = await shareDatabase({ ...database(), execute }, place)
    onTestFinished(end)
    const joined = await joinDatabase(place)
    const text = 'x'.repeat(60_000_000)
    const began = performance.now()
    expect(await joined?.execute(sql`select ${text}`)).toBe(text.length)
    // Copying all received bytes for each new piece took 15 s.
    expect(performance.now() - began).toBeLessThan(10_000)
    await joined?.close()
  })
})
