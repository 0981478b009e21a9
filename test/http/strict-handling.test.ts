import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pathWords } from '../fixtures/closed-data/words.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'

const operation = Type.Object({
  parameters: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        in: Type.String(),
        required: Type.Optional(Type.Boolean()),
        schema: Type.Optional(
          Type.Object({
            default: Type.Optional(Type.Unknown()),
            enum: Type.Optional(Type.Array(Type.String())),
          }),
        ),
      }),
    ),
  ),
  requestBody: Type.Optional(Type.Object({ content: Type.Record(Type.String(), Type.Unknown()) })),
})

const document = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), operation)),
})

const problem = Type.Object({
  errorCode: Type.Optional(Type.String()),
  code: Type.Optional(Type.Unknown()),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        parameter: Type.Optional(Type.String()),
        expected: Type.Optional(Type.Array(Type.String())),
      }),
    ),
  ),
})

type Route = {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly operation: Static<typeof operation>
}

const unknown = 'quokkaParameter'

/** Permission is checked first (decision D51), and this hub permits no push; see push.test.ts. */
const refusesFirst = 'POST /push/{provider}/{dataset}'
const methods = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' } as const

function routesOf(openapi: unknown): readonly Route[] {
  return Object.entries(Parse(document, openapi).paths).flatMap(([path, operations]) =>
    Object.entries(methods).flatMap(([key, method]) => {
      const found = operations[key]
      return found === undefined
        ? []
        : [{ name: `${method} ${path}`, method, path, operation: found }]
    }),
  )
}

/** Values of required parameters, so that the unknown parameter is the only error. */
const words: Readonly<Record<string, string>> = {
  q: 'a',
  expression: "eq(Id,'a')",
  odhtype: 'event',
  type: 'event',
  fields: 'Id',
  path: '/demo/*',
}

function addressOf({ path, operation: { parameters = [] } }: Route, more: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      (pathWords[`${path.slice(0, 3)} ${name}`] ?? pathWords[name] ?? ['x'])[0] ?? '',
    ),
  )
  const needed = parameters
    .filter(
      (one) => one.in === 'query' && one.required === true && one.schema?.default === undefined,
    )
    .map(({ name, schema }): [string, string] => [name, words[name] ?? schema?.enum?.[0] ?? 'a'])
  return `${filled}?${new URLSearchParams([...needed, [more, '1']]).toString()}`
}

function requestOf(route: Route, headers: InjectOptions['headers']): InjectOptions {
  const { method, operation: found } = route
  const [type] = Object.keys(found.requestBody?.content ?? {})
  const isMultipart = type === 'multipart/form-data'
  const payload = isMultipart ? '--x--\r\n' : '{}'
  const typed =
    type === undefined ? {} : { 'content-type': isMultipart ? `${type}; boundary=x` : type }
  return {
    method,
    url: addressOf(route, unknown),
    headers: { ...headers, ...typed },
    ...(type === undefined ? {} : { payload }),
  }
}

describeOnEngines('Unknown parameters, on every route', (engine) => {
  let clone: TestDatabase
  let hub: ComposedHub
  let routes: readonly Route[] = []
  let admin = {}
  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    hub = await openComposedHub(clone.settings)
    routes = routesOf((await hub.ask({ url: '/openapi.json' })).json()).filter(
      ({ name }) => name !== refusesFirst,
    )
    admin = await bearer(['ADMIN'])
  })
  afterAll(async () => {
    await hub.close()
    await clone.drop()
  })

  it('are rejected by name under strict handling, with the allowed parameters', async () => {
    const wrong: unknown[] = []
    for (const route of routes) {
      const headers = { ...admin, prefer: 'handling=strict' }
      const { statusCode, body } = await hub.ask(requestOf(route, headers))
      const { errors = [] } = statusCode === 400 ? Parse(problem, JSON.parse(body)) : {}
      const known = (route.operation.parameters ?? []).filter((one) => one.in === 'query')
      const told = errors.find(({ parameter }) => parameter === unknown)
      const missing = known.filter(({ name }) => told?.expected?.includes(name) !== true)
      if (told === undefined || missing.length > 0)
        wrong.push([route.name, statusCode, body.slice(0, 300), missing.map(({ name }) => name)])
    }
    expect(routes.length).toBeGreaterThan(150)
    expect(wrong).toEqual([])
  })

  it('are otherwise listed in X-Ignored-Parameters, regardless of the status', async () => {
    const wrong: unknown[] = []
    for (const route of routes) {
      const { statusCode, headers, body } = await hub.ask(requestOf(route, admin))
      if (headers['x-ignored-parameters'] !== unknown || statusCode >= 500)
        wrong.push([route.name, statusCode, headers['x-ignored-parameters'], body.slice(0, 200)])
    }
    expect(wrong).toEqual([])
  })
})
