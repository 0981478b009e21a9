import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../lang/json.ts'
import { completeDescription } from './description.ts'
import type { Document } from './description.ts'
import { withoutUnused } from './openapi.ts'

const same = (document: Document) => document
const problem = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ProblemDetails' } } },
}

/** Completes the description of one operation. */
function complete(
  operation: Document,
  more = same,
): { readonly one: Document; readonly whole: Document } {
  const whole = completeDescription({ paths: { '/a': { get: operation } }, components: {} }, more)
  return { one: fieldsOf(at(whole, 'paths', '/a', 'get')), whole }
}

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null ? Reflect.get(found, name) : found,
    value,
  )
}

describe('the completed description', () => {
  it('makes required parameters with a default optional, and no others', () => {
    const parameters = [
      { name: 'a', in: 'query', required: true, schema: { type: 'boolean', default: false } },
      { name: 'b', in: 'query', required: true, schema: { type: 'boolean' } },
      { name: 'c', in: 'query', schema: { type: 'boolean' } },
    ]
    const { one } = complete({ parameters, responses: {} })
    expect(one['parameters']).toMatchObject([
      { name: 'a', required: false, schema: { default: false } },
      { name: 'b', required: true },
      { name: 'c', required: false },
    ])
  })

  it('puts the style of lists on the parameter, and omits it from bodies', () => {
    const list = { type: 'array', style: 'form', explode: false, items: { type: 'string' } }
    const schema = {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: list, b: { default: 1 } },
    }
    const { one } = complete({
      parameters: [{ name: 'a', in: 'query', schema: list }],
      requestBody: { content: { 'application/json': { schema } } },
      responses: {},
    })
    const plain = { type: 'array', items: { type: 'string' } }
    expect(one['parameters']).toEqual([
      { name: 'a', in: 'query', required: false, style: 'form', explode: false, schema: plain },
    ])
    expect(at(one, 'requestBody', 'content', 'application/json', 'schema')).toEqual({
      type: 'object',
      required: ['a'],
      properties: { a: plain, b: { default: 1 } },
    })
  })

  it('adds the errors common to all paths, and keeps those that a route declares', () => {
    const own = { description: 'Own', content: { 'text/plain': {} } }
    const { one } = complete({ responses: { 200: { description: 'x' }, 400: own, 404: problem } })
    expect(Object.keys(fieldsOf(one['responses']))).toEqual(['200', '400', '404', '431', '500'])
    expect(at(one, 'responses', '400')).toMatchObject(own)
    expect(at(one, 'responses', '404', 'content', 'application/problem+json')).toBeDefined()
    expect(at(one, 'responses', '404', 'description')).toMatch(/does not exist/)
  })

  it('lists the origin header on every response, also on those added later', () => {
    const more = (document: Document): Document => ({
      ...document,
      components: { responses: { Busy: { description: 'Busy' } } },
    })
    const { one, whole } = complete(
      { responses: { 200: {}, 429: { $ref: '#/components/responses/Busy' } } },
      more,
    )
    const name = 'Access-Control-Allow-Origin'
    expect(at(one, 'responses', '200', 'headers', name)).toBeDefined()
    expect(at(whole, 'components', 'responses', 'Busy', 'headers', name)).toBeDefined()
    expect(at(one, 'responses', '429')).not.toHaveProperty('headers')
  })

  it('moves errors that several operations share to the components, each once', () => {
    const operation = { responses: { 200: {}, 404: problem } }
    const paths = { '/a': { get: operation }, '/b': { get: operation } }
    const whole = completeDescription({ paths, components: {} }, same)
    expect(at(whole, 'paths', '/a', 'get', 'responses', '404')).toEqual({
      $ref: '#/components/responses/NotFound',
    })
    expect(at(whole, 'components', 'responses', 'NotFound', 'description')).toMatch(
      /does not exist/,
    )
    expect(at(whole, 'paths', '/b', 'get', 'responses', '200')).not.toHaveProperty('$ref')
  })

  it.each([
    [{ type: 'integer', minimum: 0, maximum: 5 }, 'int32'],
    [{ type: 'integer', minimum: 0 }, 'int64'],
    [{ type: 'integer', minimum: 0, maximum: 2 ** 31 }, 'int64'],
    [{ type: ['integer', 'null'] }, 'int64'],
    [{ type: 'string' }, undefined],
  ])('names the format of %j', (schema, format) => {
    const parameters = [{ name: 'a', in: 'query', schema }]
    const { one } = complete({ parameters, responses: {} })
    expect(at(one['parameters'], '0', 'schema', 'format')).toBe(format)
  })

  it('leaves example values unchanged, even if they look like schemas', () => {
    const example = [{ type: 'integer' }]
    const parameters = [{ name: 'a', in: 'query', example, schema: { type: 'array' } }]
    expect(at(complete({ parameters, responses: {} }).one['parameters'], '0', 'example')).toEqual(
      example,
    )
  })
})

describe('a part of a description', () => {
  it('keeps the components that it references, directly or indirectly', () => {
    const schemas = { A: { $ref: '#/components/schemas/B' }, B: {}, C: {} }
    const paths = { '/a': { $ref: '#/components/schemas/A' } }
    const securitySchemes = { bearer: {} }
    expect(
      withoutUnused({ paths, components: { schemas, securitySchemes, headers: { H: {} } } }),
    ).toEqual({
      paths,
      components: { schemas: { A: schemas.A, B: {} }, securitySchemes },
    })
  })
})
