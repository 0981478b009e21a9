import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { timeseriesRoutes } from '../../src/timeseries/index.ts'
import { openTestDatabase } from '../fixtures/database-settings.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

/** Milliseconds that a statement may take. */
const timeout = 500

describeOnEngines(
  'a read of the time series service that exceeds the statement timeout',
  (engine) => {
    let clone: TestDatabase
    let database: Database
    let app: FastifyInstance
    beforeAll(async () => {
      clone = await cloneDatabase(engine)
      database = await openTestDatabase({ ...clone.settings, HUB_STATEMENT_TIMEOUT: timeout })
      app = await createTestApp(
        timeseriesRoutes({ database, publicUrl, visibilityOf, now: () => new Date() }),
      )
    })
    afterAll(async () => {
      await app.close()
      await database.close()
      await clone.drop()
    })

    it('returns 503 with Retry-After and without details of the database', async () => {
      const paths = ['flat/*', 'flat/*/*/latest']
      const makeSlow = sql`
      create or replace function station_types() returns setof text
      language sql stable as $$ select pg_sleep(30)::text $$`
      await database.transaction((tx) => tx.execute(makeSlow), { statementTimeout: 0 })
      for (const path of paths) {
        const answer = await app.inject(`/v2/${path}`)
        expect(answer.statusCode).toBe(503)
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
        expect(answer.json()).toMatchObject({
          errorCode: 'HUB-SRV-003',
          status: 503,
          code: 503,
          error: 'Service Unavailable',
        })
        expect(answer.body).not.toMatch(/pg_|station_types|canceling|57014|\bselect\b/i)
      }
    })
  },
)
