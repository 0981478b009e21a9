import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agrees, ask, isHistory, readCases, titleOf } from '../fixtures/conformance-cases.ts'
import type { Answer, Case } from '../fixtures/conformance-cases.ts'
import { openConformanceHub, pushAll } from '../fixtures/conformance-hub.ts'
import type { Profile } from '../fixtures/conformance-hub.ts'
import { isDataSet, toMessages } from '../fixtures/conformance-messages.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { describeWithSharedData, readShared } from '../fixtures/shared-data.ts'
import type { Database } from '../../src/storage/index.ts'
import deviations from './deviations.json' with { type: 'json' }

/**
 * Repeats recorded requests to the public system in both profiles. Where a decision differs,
 * `deviations.json` has our own response and the number of the decision.
 */

const folder = 'conformance/timeseries'

const hubs = ['latest', 'history'] as const

for (const values of hubs) {
  describeWithDatabase(`Responses of the public system (${values})`, (database) => {
    describeWithSharedData('match those of the hub, or differ by a decision', () => {
      beforeAll(async () => {
        const data = readShared(`${folder}/dataset.json`)
        if (!isDataSet(data)) throw new Error('There is no data set')
        await pushAll(database(), toMessages(data, values))
      })
      const cases = readCases(`${folder}/cases.jsonl`)
      const asked = cases.filter((sent) => isHistory(sent) === (values === 'history'))
      answersIn('strict', asked, database)
      answersIn('compatible', asked, database)
    })
  })
}

function answersIn(profile: Profile, cases: readonly Case[], database: () => Database): void {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await openConformanceHub(database(), profile)
  })
  afterAll(() => app.close())

  it.each(cases.map((sent) => [titleOf(sent), sent] as const))(`${profile}: %s`, async (_, sent) => {
    const answer = await ask(app, sent)
    const expected = deviationFor(profile, sent)
    if (expected === undefined) expect(agrees(sent, answer), JSON.stringify(answer)).toBe(true)
    else {
      expect(answer).toEqual(expected)
      expect(agrees(sent, answer), 'no deviation any more').toBe(false)
    }
  })
}

function deviationFor(profile: Profile, { number, path, query }: Case): Answer | undefined {
  const found = deviations.find(
    (deviation) => deviation.case === number && deviation.profiles.includes(profile),
  )
  if (found === undefined) return undefined
  expect({ path: found.path, query: found.query }).toEqual({ path, query })
  return { status: found.status, body: found.body }
}
