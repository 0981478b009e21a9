import { expect, it } from 'vitest'
import { createTestApp } from '../../test/fixtures/test-app.ts'
import { answerDocument } from './answer-document.ts'
import { toDocument } from './keep-exit.ts'
import type { KeptExit } from './keep-exit.ts'

const changed = new Date('2026-11-20T12:00:00.700Z')
const document = toDocument({ body: '{"a":1}', type: 'application/json', changed })

const kept: KeptExit = {
  exit: {
    name: 'test',
    concerned: { types: ['P'], dataTypes: ['free'] },
    offers: [],
    *build() {
      yield
      return { documents: new Map(), published: 0, leftOut: [] }
    },
  },
  get: () =>
    Promise.resolve({ documents: new Map([['/exit/a', document]]), published: 0, leftOut: [] }),
}

function anApp(isPartial: boolean) {
  const hint = 'There is /exit/a.'
  return createTestApp((app) => {
    app.get('/exit/:name', (request, reply) =>
      answerDocument(
        { request, reply },
        { isPartial: () => isPartial },
        {
          kept,
          path: request.url,
          hint,
        },
      ),
    )
    return Promise.resolve()
  })
}

it('returns the document, or 304 if the client has cached it', async () => {
  await using app = await anApp(false)
  const answer = await app.inject('/exit/a')
  expect(answer).toMatchObject({ statusCode: 200, body: '{"a":1}' })
  expect(answer.headers).toMatchObject({
    etag: document.etag,
    'cache-control': 'public, max-age=20',
    'last-modified': 'Fri, 20 Nov 2026 12:00:00 GMT',
  })
  expect(answer.headers).not.toHaveProperty('x-withheld')
  const headers = { 'if-none-match': document.etag }
  expect(await app.inject({ url: '/exit/a', headers })).toMatchObject({ statusCode: 304, body: '' })
})

it('reports that closed values may be missing', async () => {
  await using app = await anApp(true)
  const { headers } = await app.inject('/exit/a')
  expect(headers['x-withheld']).toBe('records;reason=public-feed')
})

it('returns 404 with a hint for a document that does not exist', async () => {
  await using app = await anApp(false)
  const answer = await app.inject('/exit/b')
  expect(answer.json()).toMatchObject({
    status: 404,
    errorCode: 'HUB-RTE-003',
    hint: 'There is /exit/a.',
  })
})
