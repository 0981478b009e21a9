import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import { postgresqlSettings, withDatabase } from '../fixtures/database-settings.ts'
import { describeOn } from '../fixtures/databases.ts'
import { follow, listOf } from '../fixtures/feed-follower.ts'
import type { Follower, Mode } from '../fixtures/feed-follower.ts'
import { closed, openFollowedHub, record, untilShown } from '../fixtures/followed-hub.ts'
import type { FollowedHub } from '../fixtures/followed-hub.ts'
import { freePort } from '../fixtures/free-port.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import { startCluster } from '../fixtures/postgresql-cluster.ts'
import { createDatabase, databaseUrl } from '../fixtures/postgresql-template.ts'
import { residentMegabytes } from '../../bench/harness/resident-megabytes.ts'

const feed = '/changes/Event'
const modes: readonly Mode[] = ['poll', 'long-poll', 'sse']

/** Opens a listening hub that advances its clock by itself, so that readers are woken. */
async function openListening() {
  const followed = await openFollowedHub('postgresql')
  const address = await followed.hub.app.listen({ port: 0, host: '127.0.0.1' })
  const ticking = setInterval(() => {
    followed.hub.tick(100)
  }, 20)
  const close = async () => {
    clearInterval(ticking)
    await followed.close()
  }
  return { followed, url: `${address}${feed}`, close }
}

/** Arguments of a hub that uses an existing database filled by others. */
const args = ['demo', '--empty', '--really']

/** 2,000 records of 20 KB. */
const backlog = 2000
const long = 'x'.repeat(20_000)

const run = promisify(execFile)

const any = (count: number) => Math.floor(Math.random() * count)

/**
 * Acts as one of several concurrent writers: stores or deletes some records in a transaction of
 * random length.
 */
async function writeAtRandom(
  { store }: FollowedHub,
  database: Database,
  who: number,
): Promise<void> {
  const states = [{}, closed, { ...closed, _Meta: { Source: 'partner' } }]
  await database
    .transaction(async (tx) => {
      for (let count = 1 + any(3); count > 0; count--) {
        const id = `W${String(who)}.${String(any(8))}`
        if (any(5) === 0) await tx.execute(sql`delete from content.event where id = ${id}`)
        else await store(tx, [record(id, { ...states[any(3)], Shortname: String(Math.random()) })])
        await pause(any(40))
      }
      if (any(6) === 0) throw rolledBack
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error
    })
}

const rolledBack = new Error('rolled back')

async function writeFor(
  followed: FollowedHub,
  { milliseconds, writers }: { readonly milliseconds: number; readonly writers: number },
): Promise<void> {
  const settings = { ...followed.settings, HUB_DATABASE_CONNECTIONS: writers }
  const end = performance.now() + milliseconds
  await withDatabase(settings, async (database) => {
    const write = async (who: number) => {
      while (performance.now() < end) await writeAtRandom(followed, database, who)
    }
    await Promise.all(Array.from({ length: writers }, (_, who) => write(who)))
  })
}

/**
 * Asserts that all followers have the same copy as a new reader, once they have received the last
 * write.
 */
async function expectCopies(
  followed: FollowedHub,
  followers: readonly { readonly follower: Follower; readonly headers?: Record<string, string> }[],
  url: string,
): Promise<void> {
  const last = `END ${String(Math.random())}`
  await followed.write([record(last)])
  for (const { follower, headers } of followers) {
    await follower.until(last)
    await follower.stop()
    const { mode, copy } = follower
    const expected = await listOf(url, headers)
    expect([mode, new Map([...copy].toSorted())]).toEqual([mode, new Map([...expected].toSorted())])
  }
}

describeOn('postgresql', 'Readers of the change feed', () => {
  it('miss nothing while transactions of any length overlap and connections break', async () => {
    const { followed, url, close } = await openListening()
    await followed.openTo('PARTNER', 'content', 'partner')
    followed.hub.tick(3000)
    const callers = [{}, await bearer(['BDP_PARTNER']), await bearer(['ADMIN'])]
    const followers = callers.flatMap((headers) =>
      modes.map((mode) => ({ follower: follow({ url, mode, headers }), headers })),
    )
    const cutting = setInterval(() => {
      followers[any(followers.length)]?.follower.cut()
    }, 50)
    await writeFor(followed, { milliseconds: 2500, writers: 5 })
    clearInterval(cutting)
    await expectCopies(followed, followers, url)
    await close()
  })

  it('miss nothing after the database connections of the hub were terminated', async () => {
    const { followed, url, close } = await openListening()
    const followers = modes.map((mode) => ({ follower: follow({ url, mode }) }))
    await withDatabase(followed.settings, async (own) => {
      for (let round = 0; round < 5; round++) {
        await followed.write([record(`C${String(round)}`)])
        await pause(60)
        await own.execute(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`)
        await pause(60)
        await untilAnswered(followed.hub.store.database)
      }
    })
    await expectCopies(followed, followers, url)
    await close()
  })

  it('miss nothing after the hub was killed, and use little memory if they are slow', async () => {
    const { followed, close } = await openListening()
    const port = await freePort()
    const start = () => startHub({ settings: followed.settings, args, port })
    let hub = await start()
    const url = `${hub.url}${feed}`
    const followers = modes.map((mode) => ({ follower: follow({ url, mode }) }))
    await writeFor(followed, { milliseconds: 400, writers: 2 })
    hub.process.kill('SIGKILL')
    await hub.ended
    await writeFor(followed, { milliseconds: 100, writers: 2 })
    hub = await start()
    expect(Math.min(...followers.map(({ follower }) => follower.breaks()))).toBeGreaterThan(0)
    await expectCopies(followed, followers, url)

    const from = (await fetch(`${url}?offset=now`)).headers.get('stream-next-offset') ?? ''
    const ids = Array.from({ length: backlog }, (_, place) => `SLOW${String(place)}`)
    await followed.write(ids.map((id) => record(id, { Shortname: long })))
    const before = await residentMegabytes(hub)
    const readers = await slowReaders(`${url}?offset=${from}&live=sse`, 10)
    const sizes: number[] = []
    for (let look = 0; look < 30; look++) {
      sizes.push((await residentMegabytes(hub)) - before)
      await pause(100)
    }
    // The whole feed for every reader would be 400 MB; one page is 2 MB.
    expect(Math.min(...sizes.slice(-5))).toBeLessThan(200)
    const [reader] = readers
    reader?.hurry()
    const hasAll = () => reader?.text().slice(-3000).includes('"upToDate":true')
    await expect.poll(hasAll).toBe(true)
    const found = [...(reader?.text() ?? '').matchAll(/"key":"(SLOW\d+)"/g)].map(([, id]) => id)
    expect(new Set(found)).toEqual(new Set(ids))
    for (const { stop } of readers) stop()
    await stopHub(hub)
    await close()
  })

  it('must start again after a restore on another server, and miss nothing there', async () => {
    const cluster = await startCluster()
    if (cluster === undefined) throw new Error('no cluster')
    const followed = await openFollowedHub('postgresql')
    const dump = join(tmpdir(), `hub-test-${crypto.randomUUID()}.dump`)
    try {
      await followed.write([record('BEFORE'), record('AWAY')])
      const offset = await followed.now()
      const source = followed.settings.DATABASE_URL ?? ''
      await run('pg_dump', ['-Fc', '-f', dump, source])
      await followed.write([], ['AWAY'])
      const later = await followed.now()
      await createDatabase(cluster.url, 'restored', 'template0')
      const target = databaseUrl(cluster.url, 'restored')
      await run('pg_restore', ['-d', target, dump])
      const restored = await openComposedHub(postgresqlSettings(target))
      const ask = async (query: string) => restored.ask({ url: `${feed}?${query}` })
      for (const old of [offset, later]) expect((await ask(`offset=${old}`)).statusCode).toBe(410)
      const list = await ask('offset=-1&fields=Id')
      expect(list.headers['stream-up-to-date']).toBe('true')
      for (const id of ['BEFORE', 'AWAY']) expect(list.body).toContain(`"key":"${id}"`)
      await restored.store.database.execute(sql`delete from content.event where id = 'AWAY'`)
      const next = String(list.headers['stream-next-offset'])
      // After its start the hub opens transactions of its own, which feeds wait for.
      await untilShown(restored.store.database)
      expect((await ask(`offset=${next}&fields=Id`)).json()).toMatchObject([
        { key: 'AWAY', headers: { operation: 'delete' } },
      ])
      await restored.close()
    } finally {
      await rm(dump, { force: true })
      await followed.close()
      await cluster.stop()
    }
  })
})

async function slowReaders(url: string, count: number) {
  const { hostname, port, pathname, search } = new URL(url)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ host: hostname, port: Number(port) })
      await once(socket, 'connect')
      socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: hub\r\n\r\n`)
      let text = ''
      const read = () => {
        const part: unknown = socket.read(64)
        if (Buffer.isBuffer(part)) text += part.toString('latin1')
      }
      // 64 bytes, 16 times a second.
      const reading = setInterval(read, 1000 / 16)
      return {
        text: () => text,
        hurry: () => {
          clearInterval(reading)
          socket.on('data', (part: Buffer) => {
            text += part.toString('latin1')
          })
        },
        stop: () => socket.destroy(),
      }
    }),
  )
}

async function untilAnswered(database: Database): Promise<void> {
  await expect
    .poll(() =>
      database.ping().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
}
