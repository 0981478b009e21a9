import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AccessRule, Visibility } from '../../src/access/index.ts'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const received = new Date('2026-11-20T10:00:00Z')

const readings = 1000
const tolerance = 0.05
/**
 * Maximum number of measurements. Noise disappears when measured again; a real difference stays.
 */
const attempts = 5

/** As many rules as are promised to be cheap, none of which opens the closed record. */
const rules = Array.from({ length: 1000 }, (_, index): AccessRule => {
  const origin = `origin ${String(index)}`
  return { role: 'GUEST', area: null, origin, type: null, dataType: null, period: null }
})

const cases = [
  ['without rules', [], '/v1/Event/'],
  ['with a thousand rules', rules, '/v1/Event/'],
  ['with closed members', [], '/v1/Accommodation/'],
] as const

describeWithDatabase('Response time', (database) => {
  let apps: readonly FastifyInstance[] = []

  beforeAll(async () => {
    await database().transaction(async (tx) => {
      for (const name of ['Event', 'Accommodation']) {
        const entity = entities.find((one) => one.name === name)
        if (entity === undefined) throw new Error(`no ${name}`)
        const open = Array.from({ length: 300 }, (_, index) => ({ Id: `OPEN-${String(index)}` }))
        // Large, so that reading more of it than needed would take measurable time.
        const detail = Object.fromEntries(open.map(({ Id }) => [Id, `text of ${Id} `.repeat(20)]))
        const closed = { Id: 'CLOSED-RECORD', LicenseInfo: { ClosedData: true }, detail }
        const write = { entity, deletions: [], received, provider: 'demo' }
        await storeRecords(tx, { ...write, records: [...open, closed] })
      }
    })
    apps = await Promise.all(cases.map(([, under]) => openApp({ kind: 'rules', rules: under })))
  })
  afterAll(() => Promise.all(apps.map((app) => app.close())))

  const openApp = (visibility: Visibility) => {
    const basis = { database: database(), entities, publicUrl }
    return createTestApp(contentRoutes({ ...basis, visibilityOf: () => visibility }))
  }

  it.each(cases)(
    'differs by less than 5 % for closed and unknown records (median of 1,000 reads), %s',
    async (title, _rules, path) => {
      const app = apps[cases.findIndex(([name]) => name === title)]
      if (app === undefined) throw new Error('no app')
      // Warm-up: code and statements become faster once they have run for a while.
      for (let warm = 0; warm < 200; warm++) await timeOf(app, `${path}NOBODY-RECORD`)
      const differences: number[] = []
      while (differences.length < attempts && !differences.some(isSmall)) {
        differences.push(await difference(app, path))
      }
      expect(differences.at(-1)).toBeLessThan(tolerance)
    },
    240_000,
  )
})

function isSmall(value: number): boolean {
  return value < tolerance
}

/**
 * Returns the relative difference between the medians of alternating requests, so that a slow
 * machine affects both.
 */
async function difference(app: FastifyInstance, path: string): Promise<number> {
  const closed: number[] = []
  const unknown: number[] = []
  for (let reading = 0; reading < readings; reading++) {
    const turns = [
      async () => closed.push(await timeOf(app, `${path}CLOSED-RECORD`)),
      async () => unknown.push(await timeOf(app, `${path}NOBODY-RECORD`)),
    ]
    for (const turn of reading % 2 === 0 ? turns : turns.reverse()) await turn()
  }
  const [faster = 0, slower = 0] = [median(closed), median(unknown)].sort((a, b) => a - b)
  return slower / faster - 1
}

async function timeOf(app: FastifyInstance, url: string): Promise<number> {
  const began = performance.now()
  const { statusCode } = await app.inject({ url })
  const took = performance.now() - began
  expect(statusCode).toBe(404)
  return took
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
