import type { FastifyInstance } from 'fastify'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerClock } from '../../src/observe/index.ts'
import { sql } from '../../src/sql/index.ts'
import { watchStatements } from '../../src/storage/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, createTestAppWith } from '../fixtures/test-app.ts'

/** Parses the header into `{ total, db }`, in milliseconds. */
function timesIn(header: unknown): Readonly<Record<string, number>> {
  expect(header).toMatch(/^total;dur=\d+, db;dur=\d+$/)
  const entries = [...String(header).matchAll(/(\w+);dur=(\d+)/g)]
  return Object.fromEntries(entries.map(([, name = '', dur]) => [name, Number(dur)]))
}

describeWithDatabase('Server-Timing', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    const clock = answerClock()
    const watched = watchStatements(database(), clock.around)
    app = await createTestAppWith({ clock }, routesOn(watched))
  })
  afterAll(() => app.close())

  const ask = async (url: string, payload?: string) => {
    const asked = payload === undefined ? { url } : { url, method: 'POST' as const, payload }
    const { headers } = await app.inject(asked)
    return timesIn(headers['server-timing'])
  }

  it.each(['/sleep', '/read', '/transaction'])(
    'reports the time of the database for %s',
    async (url) => {
      const { total = 0, db = 0 } = await ask(url)
      expect(db).toBeGreaterThanOrEqual(50)
      expect(total).toBeGreaterThanOrEqual(db + 25)
    },
  )

  it('reports the time of the database after reading a body', async () => {
    expect((await ask('/posted', 'x'.repeat(100_000)))['db']).toBeGreaterThanOrEqual(50)
  })

  it('separates the times of concurrent requests', async () => {
    const [idle, busy] = await Promise.all([ask('/idle'), ask('/sleep')])
    expect(idle['db']).toBeLessThan(40)
    expect(busy['db']).toBeGreaterThanOrEqual(50)
  })

  it('is sent with errors, and may be read by pages of other origins', async () => {
    const { statusCode, headers } = await app.inject('/nowhere')
    expect([statusCode, headers['timing-allow-origin']]).toEqual([404, '*'])
    expect(timesIn(headers['server-timing'])['db']).toBe(0)
  })
})

const routesOn = (database: Database) => (app: FastifyInstance) => {
  const nap = sql`select pg_sleep(0.06)::text`
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body)
  })
  const answer = async (work: () => Promise<unknown>) => {
    await work()
    await pause(30)
    return {}
  }
  app.get('/sleep', () => answer(() => database.query(nap)))
  app.get('/read', () => answer(() => database.read.texts(nap)))
  app.get('/transaction', () => answer(() => database.transaction((tx) => tx.execute(nap))))
  app.get('/idle', () => answer(() => pause(50)))
  app.post('/posted', () => answer(() => database.query(nap)))
  return Promise.resolve()
}

describe('Without a clock', () => {
  it('no Server-Timing is sent', async () => {
    const app = await createTestApp()
    expect((await app.inject('/metrics')).headers).not.toHaveProperty('server-timing')
    await app.close()
  })
})
