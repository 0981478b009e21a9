import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { openTestDatabase } from '../fixtures/database-settings.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { describeWithSharedData, sharedPath } from '../fixtures/shared-data.ts'
import { fillRegion } from '../fixtures/small-region.ts'

const request = Type.Object({
  client: Type.String(),
  method: Type.Literal('GET'),
  path: Type.String(),
  accept: Type.Union([Type.String(), Type.Null()]),
  needs: Type.Object({ status: Type.Integer(), type: Type.String() }),
})

/**
 * Loads the requests that existing clients send, each with what the client needs from the response.
 */
const requests = () =>
  readFileSync(sharedPath('conformance/clients/requests.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Parse(request, JSON.parse(line)))

describeWithSharedData('Requests of real clients', () => {
  describeOnEngines('in the compatible profile', (engine) => {
    let clone: TestDatabase
    let hub: ComposedHub
    beforeAll(async () => {
      clone = await cloneDatabase(engine)
      const database = await openTestDatabase(clone.settings)
      await fillRegion(database)
      await database.close()
      hub = await openComposedHub(clone.settings, { HUB_PROFILE: 'compatible' })
    })
    afterAll(async () => {
      await hub.close()
      await clone.drop()
    })

    it.each(requests())('$client: $path', async ({ path, accept, needs }) => {
      const headers = accept === null ? {} : { accept }
      const { statusCode, headers: answered, body } = await hub.ask({ url: path, headers })
      expect(statusCode, body.slice(0, 500)).toBe(needs.status)
      expect(String(answered['content-type'])).toContain(needs.type)
      expect(() => JSON.parse(body)).not.toThrow()
    })
  })
})
