import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { lintWithRedocly, lintWithSpectral } from '../fixtures/openapi/lint.ts'
import type { Finding } from '../fixtures/openapi/lint.ts'
import { waiverOf, waivers } from '../fixtures/openapi/waivers.ts'

/** Settings that turn on all services, as in production. */
const everything = { HUB_IDENTITY: 'embedded', HUB_QUOTA: 'on', HUB_PUBLIC_URL: 'https://hub.test' }

const schema = Type.Object({ default: Type.Optional(Type.Unknown()), style: Type.Optional(Type.Unknown()) })

const operation = Type.Object({
  security: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Array(Type.String())))),
  parameters: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), required: Type.Boolean(), schema })),
  ),
  responses: Type.Record(Type.String(), Type.Unknown()),
})

const document = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), operation)),
})

/** Timeout in milliseconds. The linters need most of a minute on a busy machine. */
const longest = 600_000

describeOnEngines('the OpenAPI documents of a whole hub', (engine) => {
  let clone: TestDatabase
  let hub: ComposedHub
  let text = ''
  let found: readonly Finding[] = []

  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    hub = await openComposedHub(clone.settings, everything)
    text = (await hub.ask({ url: '/openapi.json' })).body
    const parts = await Promise.all(['/apispec', '/v2/apispec'].map((url) => hub.ask({ url })))
    // Spectral needs half a minute for the whole document. The parts repeat its operations and
    // differ only in their heads, so one operation each is enough.
    const read = [withoutRepeats(text), ...parts.map(({ body }) => withOneOperation(body))]
    for (const one of read) {
      const ofOne = await lintWithSpectral(one)
      found = [...found, ...ofOne.filter(({ rule }) => rule !== 'oas3-unused-component')]
    }
    found = [...found, ...(await lintWithRedocly(text, 'json'))]
    for (const { body } of parts) found = [...found, ...(await lintWithRedocly(body, 'yaml'))]
  }, longest)
  afterAll(async () => {
    await hub.close()
    await clone.drop()
  })

  const operations = () =>
    Object.entries(Parse(document, JSON.parse(text)).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ name: `${method} ${path}`, ...one })),
    )

  it('have no findings of Spectral and Redocly that are not waived', () => {
    const faults = found.filter((one) => waiverOf(one) === undefined)
    expect(faults.slice(0, 20)).toEqual([])
  })

  it('name lists and request bodies as the interface does', () => {
    const { components, paths } = JSON.parse(text)
    expect(components.schemas).toHaveProperty('TourismMetaDataJsonResult')
    expect(components.schemas).toHaveProperty('PGCRUDResult')
    const list = paths['/v1'].get.responses['200'].content['application/json']
    expect(JSON.stringify(list)).toContain('"#/components/schemas/TourismMetaDataJsonResult"')
    for (const method of ['post', 'put', 'delete']) {
      const { content } = paths['/v1/Event'][method].requestBody
      expect(content).toHaveProperty(['application/json-patch+json'])
      expect(content).toHaveProperty(['application/*+json'])
    }
  })

  it.each(waivers)('need the waiver of $rule at $where', (waiver) => {
    expect(found.filter((one) => waiverOf(one) === waiver).length).toBeGreaterThan(0)
  })

  it('have a 401 wherever a token is required', () => {
    const guarded = operations().filter(({ security = [{}] }) => !security.some((one) => isEmpty(one)))
    expect(guarded.length).toBeGreaterThan(100)
    expect(guarded.filter(({ responses }) => !('401' in responses))).toEqual([])
  })

  it('have the common error responses at every path', () => {
    const lacking = operations().filter(
      ({ responses }) => !('400' in responses) || !('500' in responses),
    )
    expect(lacking.map(({ name }) => name)).toEqual([])
  })

  it('mark parameters with a default as optional', () => {
    const parameters = operations().flatMap(({ parameters = [] }) => parameters)
    const withDefault = parameters.filter(({ schema: { default: value } }) => value !== undefined)
    expect(withDefault.length).toBeGreaterThan(100)
    expect(withDefault.filter(({ required }) => required)).toEqual([])
  })

  it('define the list style on the parameter, where clients expect it', () => {
    const parameters = operations().flatMap(({ parameters = [] }) => parameters)
    expect(parameters.filter(({ schema: { style } }) => style !== undefined)).toEqual([])
  })
})

/**
 * Removes operations that differ from an earlier one only in the name of the entity and in their
 * texts.
 */
function withoutRepeats(json: string): string {
  const { paths, ...others } = Parse(document, JSON.parse(json))
  const seen = new Set<string>()
  const isNew = (path: string, method: string, one: object) => {
    const entity = /^\/v1\/(?<name>[A-Z]\w+?)(?:Search)?(?:\/|$)/.exec(path)?.groups?.['name']
    const texts = { summary: 'summary' in one, description: 'description' in one }
    const key = JSON.stringify({ method, ...one, ...texts })
    const named = entity === undefined ? key : key.replaceAll(entity, '*')
    return seen.size < seen.add(named).size
  }
  const kept = Object.entries(paths).map(([path, methods]) => {
    const own = Object.entries(methods).filter(([method, one]) => isNew(path, method, one))
    return [path, Object.fromEntries(own)] as const
  })
  const filled = kept.filter(([, methods]) => Object.keys(methods).length > 0)
  return JSON.stringify({ ...others, paths: Object.fromEntries(filled) })
}

/** Reduces a YAML document to its first path, and returns it as JSON. */
function withOneOperation(yaml: string): string {
  const whole = Parse(Type.Object({ paths: Type.Record(Type.String(), Type.Unknown()) }), parse(yaml))
  return JSON.stringify({ ...whole, paths: Object.fromEntries(Object.entries(whole.paths).slice(0, 1)) })
}

function isEmpty(requirement: object): boolean {
  return Object.keys(requirement).length === 0
}
