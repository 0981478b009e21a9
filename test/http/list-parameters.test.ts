import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, toNaming } from '../../src/content/index.ts'
import type { Entity } from '../../src/content/index.ts'
import { filtersOf } from '../../src/content/filters/index.ts'
import type { Parameter } from '../../src/content/filters/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))

type Tried = { readonly entity: Entity; readonly parameter: Parameter }

/** Every declared parameter once, with the first list that has it in this form. */
const parameters = [
  ...new Map(
    entities
      .flatMap((entity) =>
        filtersOf(entity).flatMap((one) =>
          one.parameters.map((parameter): Tried => ({ entity, parameter })),
        ),
      )
      .reverse()
      .map((tried) => [JSON.stringify([tried.parameter.name, tried.parameter.schema]), tried]),
  ).values(),
]

const now = () => new Date('2026-11-20T10:00:00Z')
const headers = { authorization: 'Bearer closed' }

describeWithDatabase('the parameters of lists', (database) => {
  let app: FastifyInstance
  const ask = ({ entity }: Tried, query: string) =>
    app.inject({ url: `/v1/${entity.path}?${query}`, headers })

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf, now }),
    )
  })
  afterAll(() => app.close())

  it('number more than sixty', () => {
    expect(parameters.length).toBeGreaterThan(60)
  })

  describe.each(
    parameters.map((tried) => [tried.entity.name, tried.parameter.name, tried] as const),
  )('%s: %s', (_entity, name, tried) => {
    const { good, bad } = tried.parameter.examples
    const { beside = '' } = tried.parameter

    it('accepts valid values, in every spelling of its name', async () => {
      for (const value of good) {
        for (const spelling of [name, name.toUpperCase(), ...(tried.parameter.aliases ?? [])]) {
          const query = `${spelling}=${encodeURIComponent(value)}&${beside}`
          const response = await ask(tried, query)
          expect([query, response.statusCode, response.body.slice(0, 500)]).toEqual([
            query,
            200,
            expect.any(String),
          ])
          expect(response.headers).not.toHaveProperty('x-ignored-parameters')
        }
      }
    })

    it('refuses other values with its name, the error and the allowed values', async () => {
      for (const value of bad) {
        const query = `${name}=${encodeURIComponent(value)}`
        const response = await ask(tried, query)
        expect([query, response.statusCode]).toEqual([query, 400])
        const { errors } = response.json()
        expect([query, errors[0]]).toEqual([
          query,
          expect.objectContaining({
            parameter: name,
            detail: expect.stringMatching(/\w+/),
            expected: expect.arrayContaining([expect.stringMatching(/\S/)]),
          }),
        ])
      }
    })

    it.each(['null', ''])('treats %j as missing', async (absent) => {
      expect((await ask(tried, `${name}=${absent}`)).statusCode).toBe(200)
    })
  })
})
