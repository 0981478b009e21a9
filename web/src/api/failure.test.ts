import { expect, it } from 'vitest'
import { toProblem, readFailure } from './failure.ts'

it('reads where in a text the fault is, and what is allowed there', () => {
  const fault = {
    parameter: 'rawfilter',
    detail: 'A comma is missing',
    position: 7,
    expected: [','],
  }
  const problem = { title: 'Syntax error', status: 400, errorCode: 'HUB-QRY-003', errors: [fault] }
  expect(toProblem(problem)).toEqual(problem)
})

it('keeps what has the expected form and leaves the rest', () => {
  expect(toProblem({ title: 7, detail: 'Too long', errors: ['x', {}] })).toEqual({
    detail: 'Too long',
    errors: [{ detail: '' }],
  })
})

it('is nothing where the body is not a problem', () => {
  for (const body of [undefined, null, 'Bad gateway', [1]]) expect(toProblem(body)).toBeUndefined()
})

const problemOf = (status: number, body: object, headers: Record<string, string> = {}) =>
  readFailure(Response.json(body, { status, headers }))

it('tells apart by status what a person can do', async () => {
  const kinds = await Promise.all(
    [400, 401, 403, 404, 409, 500, 503].map(async (status) => (await problemOf(status, {})).kind),
  )
  expect(kinds).toEqual([
    ...['invalid', 'unauthorised', 'forbidden', 'notFound', 'invalid', 'broken', 'unavailable'],
  ])
})

it('says how long to wait where the hub says so', async () => {
  expect(await problemOf(429, {}, { 'retry-after': '3' })).toMatchObject({
    kind: 'tooMany',
    retryAfter: 3,
  })
  expect(await problemOf(503, {})).toMatchObject({ kind: 'unavailable', retryAfter: 5 })
})

it('takes no other 429 for that, also where it does not say how long to wait', async () => {
  const failure = { kind: 'tooMany', retryAfter: 5 }
  expect(await problemOf(429, {})).toMatchObject(failure)
  expect(await problemOf(429, { errorCode: 'HUB-LIM-001' })).toMatchObject(failure)
})

it('knows the quota that waiting does not help with', async () => {
  expect(await problemOf(429, { errorCode: 'HUB-QTA-001' })).toMatchObject({ kind: 'tooLong' })
})

it('keeps the request id of what broke, also where the body is not valid JSON', async () => {
  const response = new Response('<html>', { status: 500, headers: { 'x-request-id': 'abc' } })
  expect(await readFailure(response)).toEqual({ kind: 'broken', requestId: 'abc' })
})
