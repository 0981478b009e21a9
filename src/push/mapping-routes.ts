import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requirePrincipal } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { checkedBody, jsonType, readJsonBodies } from '../http/index.ts'
import { problem } from '../lang/schemas.ts'
import { definition } from './mappings/definition/definition.ts'
import type { DraftTrials } from './mappings/try-mapping.ts'
import { rejected } from './schemas.ts'
import { exampleMapping, mappingTexts } from './stored-mapping-schemas.ts'

type Deps = { readonly trials: DraftTrials; readonly now: () => Date }

/** Of a request; the payload is a part of it. */
const bodyLimit = 4_194_304

/**
 * The hub reads the mapping and its files itself, before another process evaluates it: they are bounded so that
 * nothing else waits long.
 */
const draft = Type.Object(
  {
    ...mappingTexts,
    payload: Type.String({ description: 'A body as the provider pushes it' }),
    encoding: Type.Optional(
      Type.Enum(['utf8', 'base64'], { description: 'How payload is written; default: utf8' }),
    ),
    contentType: Type.Optional(Type.String({ maxLength: 200 })),
    received: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it arrives; default: now' }),
    ),
  },
  {
    examples: [
      {
        mapping: exampleMapping,
        payload: '[{"id": "bench-1", "name": "Bench at the lake", "lon": 11.26, "lat": 46.42}]',
      },
    ],
  },
)

const draftHint = 'It is an object with mapping (the text of a mapping.yaml) and payload.'

export const tryOperation = {
  operationId: 'tryMapping',
  summary: 'Try a mapping that is stored nowhere on a payload',
  description:
    'Needs a token, and no role. Nothing is stored. The mapping may take 5 seconds and a payload of 2 MiB, and the response has at most 500 items.',
  tags: ['Push'],
  security: [{ bearer: [] }],
  body: draft,
  response: {
    200: Type.Object({
      faults: Type.Array(
        Type.Object({
          file: Type.String(),
          line: Type.Optional(Type.Integer({ description: 'From 1' })),
          column: Type.Optional(Type.Integer({ description: 'From 1' })),
          reason: Type.String(),
        }),
        { description: 'What is wrong with the mapping; with any of these nothing is evaluated' },
      ),
      mapping: Type.Union([
        Type.Object({ version: Type.String(), stream: Type.String() }),
        Type.Null(),
      ]),
      items: Type.Integer({ description: 'Items that would be stored' }),
      objects: Type.Array(Type.Unknown(), {
        description: 'The objects that it makes, in the push formats, without what is rejected',
      }),
      rejected,
    }),
    400: problem,
    401: problem,
    503: problem,
  },
}

const schemaOperation = {
  operationId: 'getMappingSchema',
  summary: 'The fields of a mapping.yaml, as JSON Schema',
  description: 'For editors that complete and check what somebody writes.',
  tags: ['Push'],
  response: {
    200: {
      description: 'JSON Schema 2020-12',
      content: { 'application/schema+json': { schema: Type.Unsafe<string>({ type: 'object' }) } },
    },
  },
}

const schemaText = JSON.stringify({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'mapping.yaml',
  ...definition,
})

/** Mappings, for those who write them in the browser. */
export const mappingRoutes =
  ({ trials, now }: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    readJsonBodies(app)
    app.get('/mappings/schema', { schema: schemaOperation }, (_request, reply) => {
      void reply.header('cache-control', 'public, max-age=3600').type('application/schema+json')
      return schemaText
    })
    const guarded = { schema: tryOperation, bodyLimit, onRequest: demandToken }
    app.post('/mappings/try', guarded, async (request, reply) => {
      const {
        mapping: text,
        files = {},
        payload,
        encoding = 'utf8',
        ...sent
      } = checkedBody(draft, request.body, draftHint)
      const body = Buffer.from(payload, encoding)
      if (encoding === 'base64' && body.toString('base64') !== payload) throw notBase64()
      const received = sent.received === undefined ? now() : new Date(sent.received)
      const contentType = sent.contentType ?? null
      const outcome = await trials.try({ text, files, body, contentType, received })
      void reply.header('cache-control', 'no-store').type(jsonType)
      return reply.send(JSON.stringify(outcome))
    })
    return Promise.resolve()
  }

/** Before the body is read. */
function demandToken(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  requirePrincipal(request.principal)
  done()
}

function notBase64(): AppError {
  return new AppError('HUB-BDY-001', 'payload is not base64 (RFC 4648, section 4, with padding).')
}
