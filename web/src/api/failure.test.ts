import { expect, it } from 'vitest'
import { toProblem, readFailure } from './failure.ts'

it('reads the position of an error in a text, and what is expected there', () => {
  const fault = {
    parameter: 'rawfilter',
    detail: 'A comma is missing',
    position: 7,
    expected: [','],
  }
  const problem = { title: 'Syntax error', status: 400, errorCode: 'HUB-QRY-003', errors: [fault] }
  expect(toProblem(problem)).toEqual(problem)
})

it('keeps fields of the expected form and ignores others', () => {
  expect(toProblem({ title: 7, detail: 'Too long', errors: ['x', {}] })).toEqual({
    detail: 'Too long',
    errors: [{ detail: '' }],
  })
})

it('returns nothing if the body is not a problem', () => {
  for (const body of [undefined, null, 'Bad gateway', [1]]) expect(toProblem(body)).toBeUndefined()
})

const problemOf = (status: number, body: object, headers: Record<string, string> = {}) =>
  readFailure(Response.json(body, { status, headers }))

it('classifies failures by status', async () => {
  const kinds = await Promise.all(
    [400, 401, 403, 404, 409, 500, 503].map(async (status) => (await problemOf(status, {})).kind),
  )
  expect(kinds).toEqual([
    ...['invalid', 'unauthorised', 'forbidden', 'notFound', 'invalid', 'broken', 'unavailable'],
  ])
})

it('reports how long to wait, by default 5 seconds', async () => {
  expect(await problemOf(429, {}, { 'retry-after': '3' })).toMatchObject({
    kind: 'tooMany',
    retryAfter: 3,
  })
  expect(await problemOf(503, {})).toMatchObject({ kind: 'unavailable', retryAfter: 5 })
})

it('treats a 429 as too many requests, even without a time to wait', async () => {
  const failure = { kind: 'tooMany', retryAfter: 5 }
  expect(await problemOf(429, {})).toMatchObject(failure)
  expect(await problemOf(429, { errorCode: 'HUB-LIM-001' })).toMatchObject(failure)
})

it('recognizes a quota that waiting does not resolve', async () => {
  expect(await problemOf(429, { errorCode: 'HUB-QTA-001' })).toMatchObject({ kind: 'tooLong' })
})

it('keeps the request id of a failure, even if the body is not valid JSON', async () => {
  const response = new Response('<html>', { status: 500, headers: { 'x-request-id': 'abc' } })
  expect(await readFailure(response)).toEqual({ kind: 'broken', requestId: 'abc' })
})
