import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOn } from '../../test/fixtures/databases.ts'
import {
  openTestDatabase,
  postgresqlSettings,
  withDatabase,
} from '../../test/fixtures/database-settings.ts'
import { startCluster, startReplica } from '../../test/fixtures/postgresql-cluster.ts'
import type { Cluster } from '../../test/fixtures/postgresql-cluster.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database } from './database.ts'

describeOn('postgresql', 'reads on a streaming replica', () => {
  let primary: Cluster
  let replica: Cluster
  let database: Database

  beforeAll(async () => {
    // The default of servers. Without it, a commit is sent to the replica some time later.
    const started = await startCluster({ more: ['synchronous_commit=on'] })
    if (started === undefined) throw new Error('PostgreSQL is not installed')
    primary = started
    replica = await startReplica(primary)
    const settings = { ...postgresqlSettings(primary.url), DATABASE_READ_URL: replica.url }
    database = await openTestDatabase(settings)
    await database.execute(sql`create table written (n integer)`)
  })
  afterAll(async () => {
    await database.close()
    await replica.stop()
    await primary.stop()
  })

  const onReplica = (statement: Sql) =>
    withDatabase(postgresqlSettings(replica.url), (direct) => direct.query(statement))
  /** Returns which server runs the queries, and the newest row that they see. */
  const look = async (reads = database.read) => {
    const [row] = await reads.query<{ readonly from: string; readonly n: number | null }>(sql`
      select case when pg_is_in_recovery() then 'replica' else 'primary' end as from, max(n) as n
      from written`)
    return row
  }
  const write = (n: number) => database.execute(sql`insert into written values (${n})`)
  const isBack = () => expect.poll(async () => (await look())?.from).toBe('replica')

  it('use the replica, and return each write of this node', async () => {
    await isBack()
    for (let n = 1; n <= 200; n++) {
      await write(n)
      const reads = n % 2 === 0 ? database.read : database.heavy()
      expect((await look(reads))?.n).toBe(n)
    }
    await isBack()
  })

  it('return what a transaction committed, and what was read on the primary', async () => {
    await database.transaction((tx) => tx.execute(sql`insert into written values (201)`))
    expect((await look())?.n).toBe(201)
    await withDatabase(postgresqlSettings(primary.url), (other) =>
      other.execute(sql`insert into written values (202)`),
    )
    expect((await database.query(sql`select max(n) as n from written`))[0]).toEqual({ n: 202 })
    expect((await look())?.n).toBe(202)
  })

  it('use the primary while the replica lags, without waiting each time', async () => {
    await onReplica(sql`select pg_wal_replay_pause()`)
    await write(300)
    expect(await look()).toEqual({ from: 'primary', n: 300 })
    const start = performance.now()
    for (let time = 0; time < 20; time++) expect((await look())?.n).toBe(300)
    // Each wait for the replica takes 200 ms.
    expect(performance.now() - start).toBeLessThan(2000)
    await onReplica(sql`select pg_wal_replay_resume()`)
    await isBack()
    expect((await look())?.n).toBe(300)
  })

  it('use the primary while the replica is down', async () => {
    await replica.halt('at once')
    for (let n = 400; n < 410; n++) {
      await write(n)
      expect(await look()).toEqual({ from: 'primary', n })
    }
    await replica.resume()
    await isBack()
  })

  it('continue on the replica while the primary is down, and after its promotion', async () => {
    await write(500)
    expect((await look())?.n).toBe(500)
    await primary.halt('at once')
    await expect(write(501)).rejects.toMatchObject({ code: 'HUB-SRV-002' })
    expect(await look()).toEqual({ from: 'replica', n: 500 })
    await onReplica(sql`select pg_promote()`)
    expect(await look()).toEqual({ from: 'primary', n: 500 })
  })
})
