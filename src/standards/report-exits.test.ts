import { expect, it } from 'vitest'
import { createTestApp } from '../../test/fixtures/test-app.ts'
import { AppError } from '../errors/index.ts'
import type { Built, KeptExit } from './keep-exit.ts'
import { standardsHealth } from './report-exits.ts'

const built: Built = {
  documents: new Map(),
  published: 2,
  leftOut: [{ type: 'P', code: 'a', lacks: 'position', reason: 'It has no position.' }],
}

const anExit = (name: string, get: () => Promise<Built>): KeptExit => ({
  exit: {
    name,
    concerned: { types: [], dataTypes: [] },
    offers: [],
    *build() {
      yield
      return built
    },
  },
  get,
})

it('lists exits that work next to those that fail, without messages of the database', async () => {
  const exits = [
    anExit('broken', () => Promise.reject(new Error('relation "secret" does not exist'))),
    anExit('good', () => Promise.resolve(built)),
    anExit('busy', () =>
      Promise.reject(new AppError('HUB-SRV-008', 'Too many tasks are waiting.')),
    ),
  ]
  await using app = await createTestApp(async (scope) => {
    await scope.register(standardsHealth(exits))
  })
  const answer = await app.inject('/health/standards')
  const none = { published: 0, leftOutCount: 0, leftOut: [] }
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      exits: [
        { name: 'broken', fault: 'It could not be built; the log has the cause.', ...none },
        { name: 'good', published: 2, leftOutCount: 1, leftOut: built.leftOut },
        { name: 'busy', fault: 'Too many tasks are waiting.', ...none },
      ],
    },
  ])
})
