import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))

const document = Type.Object({
  paths: Type.Record(
    Type.String(),
    Type.Object({
      get: Type.Optional(
        Type.Object({
          parameters: Type.Optional(
            Type.Array(
              Type.Object({
                name: Type.String(),
                in: Type.String(),
                schema: Type.Object({ maxLength: Type.Optional(Type.Integer()) }),
              }),
            ),
          ),
        }),
      ),
    }),
  ),
})

describeWithDatabase('texts of parameters', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    await app.ready()
  })
  afterAll(() => app.close())

  // Sent in the body, because some of these values are longer than a URL may be (decision D26).
  it('are rejected if longer than the OpenAPI document allows', async () => {
    const { paths } = Parse(document, app.swagger())
    for (const { path } of entities) {
      const parameters = paths[`/v1/${path}`]?.get?.parameters ?? []
      const limited = parameters.flatMap(({ name, schema: { maxLength } }) =>
        maxLength === undefined ? [] : [{ name, maxLength }],
      )
      expect(limited.length).toBeGreaterThan(5)
      for (const { name, maxLength } of limited) {
        const payload = { [name]: 'x'.repeat(maxLength + 1) }
        const headers = { authorization: 'Bearer admin' }
        const url = `/v1/${path}Search`
        const answer = await app.inject({ method: 'POST', url, payload, headers })
        expect([path, name, answer.statusCode]).toEqual([path, name, 400])
        expect(answer.json().errors[0]).toMatchObject({ parameter: name })
      }
    }
  })
})
