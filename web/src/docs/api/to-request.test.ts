import { expect, it } from 'vitest'
import { toReference, findOperations, membersOf, methodsOf, typeOf } from './document.ts'
import type { Document } from './document.ts'
import { examplesOf, missingOf, needsToken, toRequest } from './to-request.ts'

const document: Document = {
  info: { version: '1' },
  tags: [{ name: 'Content' }, { name: 'Push' }],
  paths: {
    '/push/{provider}': {
      post: {
        operationId: 'push',
        tags: ['Push'],
        security: [{ bearer: [] }],
        requestBody: { content: { 'application/json': { example: { a: 1 } } } },
        parameters: [{ name: 'provider', in: 'path', required: true, example: 'demo' }],
      },
    },
    '/v2/{types}': {
      get: {
        ...{ operationId: 'listStations', summary: 'Stations', tags: ['Content'] },
        security: [{}, { bearer: [] }],
        parameters: [
          { name: 'types', in: 'path', required: true },
          { name: 'limit', in: 'query', schema: { type: 'integer', default: 200 } },
          { name: 'X-Other', in: 'header' },
        ],
      },
    },
  },
}
const { operations, byId } = toReference(document)
const [list, push] = operations
if (list === undefined || push === undefined) throw new Error('There are two operations')

it('lists the methods of operations, reading before writing', () => {
  expect(methodsOf(operations)).toEqual(['GET', 'POST'])
  const user = { delete: {}, patch: {}, get: {} }
  const other = toReference({ ...document, paths: { '/access/users/{name}': user } })
  expect(methodsOf(other.operations)).toEqual(['GET', 'PATCH', 'DELETE'])
})

it('orders the operations by service', () => {
  expect(operations.map(({ id, method }) => [id, method])).toEqual([
    ['listStations', 'GET'],
    ['push', 'POST'],
  ])
  expect(byId.get('push')?.path).toBe('/push/{provider}')
})

it('finds operations by all words of a search', () => {
  const wish = { text: 'get STATIONS', tag: '', method: '' }
  expect(findOperations(operations, wish)).toEqual([list])
  expect(findOperations(operations, { ...wish, tag: 'Push' })).toEqual([])
})

it('builds the request of a form, without empty fields', () => {
  const values = { types: 'A,B c', limit: '5', 'X-Other': 'no' }
  expect(toRequest(list, values, '')).toEqual({ path: '/v2/A,B%20c', query: { limit: '5' } })
  expect(toRequest(list, { types: '*' }, 'text/csv')).toEqual({
    ...{ path: '/v2/*', query: {}, accept: 'text/csv' },
  })
})

it('lists missing parameters, and starts with examples of required ones', () => {
  expect(missingOf(list, {})).toEqual(['types'])
  expect(toRequest(list, {}, '').path).toBe('/v2/{types}')
  expect(examplesOf(push)).toEqual({ provider: 'demo' })
})

it('recognizes operations that require a token, and fills in the example of a body', () => {
  expect([needsToken(list), needsToken(push)]).toEqual([false, true])
  expect(toRequest(push, { provider: 'demo' }, '')).toMatchObject({
    ...{ path: '/push/demo', method: 'POST', body: { a: 1 }, token: 'needed' },
  })
})

it('describes types briefly', () => {
  expect(typeOf({ type: 'array', items: { type: 'string' } })).toBe('array of string')
  expect(typeOf({ anyOf: [{ $ref: '#/components/schemas/Tag' }, { type: 'null' }] })).toBe(
    'Tag | null',
  )
  expect(typeOf({ enum: ['a', 'b'] })).toBe('string')
})

it('lists the properties of an object and of its parts, and additional ones once', () => {
  const schema = {
    allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }],
    additionalProperties: { type: 'number' },
  }
  expect(membersOf(document, schema).map(({ name, isNeeded }) => [name, isNeeded])).toEqual([
    ['*', false],
    ['a', true],
  ])
})
