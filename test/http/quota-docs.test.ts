import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCounters, quotaRoutes } from '../../src/quota/index.ts'
import { plans } from '../../src/quota/count-requests.ts'
import { silentLog } from '../fixtures/silent-log.ts'
import { createTestAppWith } from '../fixtures/test-app.ts'

const page = readFileSync(new URL('../../docs/quotas.md', import.meta.url), 'utf8')

/** Every `curl` command on the page: its path, and its Referer. */
const commands = page.split('\n').flatMap((line) => {
  const [, path] = /^curl (?:-i )?'?http:\/\/localhost:8080([^' ]*)/.exec(line) ?? []
  const [, referer] = /-H 'Referer: ([^']*)'/.exec(line) ?? []
  return path === undefined ? [] : [{ path, referer }]
})

describe('The page on quotas', () => {
  let app: FastifyInstance
  beforeAll(async () => {
    const every = () => () => undefined
    const { counters } = await openCounters({ redisUrl: undefined, every, log: silentLog })
    const content = (service: FastifyInstance) => {
      service.get('/v1/Accommodation', () => '[]')
      return Promise.resolve()
    }
    app = await createTestAppWith({ quota: counters }, content, quotaRoutes({ counters }))
  })
  afterAll(() => app.close())

  it('has examples', () => {
    expect(commands.length).toBeGreaterThanOrEqual(5)
  })

  it.each(commands)('$path with $referer', async ({ path, referer }) => {
    const headers = referer === undefined ? {} : { referer }
    const answer = await app.inject({ url: path, headers })
    expect(answer.statusCode).toBe(200)
    const isNamed = referer !== undefined || path.includes('referer=')
    const kind = (isNamed ? plans.referrer : plans.unregistered).name
    const told = path.startsWith('/quota')
      ? answer.json<{ policy: string }>().policy
      : answer.headers['x-rate-limit-policy']
    expect(told).toBe(kind)
  })

  it('has a row for every kind of caller, with its limits', () => {
    for (const { name, requests, historyDays, countedPer } of Object.values(plans)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? ''
      const [, , perSecond, history, per] = row.split('|').map((cell) => cell.trim())
      expect(perSecond).toBe(String(requests ?? 'any'))
      expect(history).toBe(historyDays === undefined ? 'any' : `${String(historyDays)} days`)
      expect(per).toBe(countedPer.join(', '))
    }
  })
})
