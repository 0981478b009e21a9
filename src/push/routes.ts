import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Check } from 'typebox/value'
import { requirePrincipal } from '../access/index.ts'
import type { PushPermission } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { errorHandler, jsonType, toProblem } from '../http/index.ts'
import type { ErrorFormat } from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import { acceptMessage } from './accept-message.ts'
import type { SentMessage } from './accept-message.ts'
import { loadReceipt } from './receipt.ts'
import { pushOperation, receiptOperation } from './schemas.ts'

export type PushDeps = {
  readonly database: Database
  readonly permission: PushPermission
  /** Tells the worker that a message has come. */
  readonly wake: () => void
  readonly bodyLimit: number
  readonly publicUrl: string
  readonly now: () => Date
}

type Stream = { readonly provider: string; readonly dataset: string }

/** Push errors carry `message` beside the members of a problem (decision D1). */
const pushErrorFormat: ErrorFormat = (error, occasion) => ({
  message: error.title,
  ...toProblem(error, occasion),
})

/** The push collector: accepts what providers send, and says what became of it (interface 4.10). */
export const pushRoutes =
  (deps: PushDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    app.setErrorHandler(errorHandler(pushErrorFormat, deps))
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body)
    })

    app.post(
      '/push/:provider/:dataset',
      {
        schema: pushOperation,
        bodyLimit: deps.bodyLimit,
        // Before the body is read: what a caller may not send is not worth receiving.
        onRequest: async (request) => {
          await assertMayPush(deps.permission, request, streamOf(request.params))
        },
      },
      async (request, reply) => {
        const id = await acceptMessage(deps, toSentMessage(request))
        return reply.type(jsonType).send(JSON.stringify({ message: 'Data accepted', id }))
      },
    )

    app.get(
      '/push/:provider/:dataset/:id',
      { schema: receiptOperation },
      async (request, reply) => {
        const { id, ...stream } = request.params
        await assertMayRead(deps.permission, request, streamOf(stream))
        const receipt = await loadReceipt(deps.database, streamName(stream), id)
        if (receipt === undefined) throw noSuchMessage()
        void reply.header('cache-control', 'no-store').type(jsonType)
        return reply.send(JSON.stringify(receipt))
      },
    )
    return Promise.resolve()
  }

function toSentMessage(request: FastifyRequest): SentMessage {
  return {
    stream: streamName(streamOf(request.params)),
    sender: requirePrincipal(request.principal),
    contentType: request.headers['content-type'],
    contentEncoding: request.headers['content-encoding'],
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  }
}

async function assertMayPush(permission: PushPermission, request: FastifyRequest, stream: Stream) {
  const principal = requirePrincipal(request.principal)
  if (await permission.mayPush(principal, pathOf(stream))) return
  throw new AppError('HUB-ACC-003', `${principal.client} may not push to ${pathOf(stream)}.`, {
    hint: 'Ask the operator of the hub for the permission to write to this path.',
  })
}

/** Who may not push to a stream does not learn what is in it: a receipt is 404 for them (D53). */
async function assertMayRead(permission: PushPermission, request: FastifyRequest, stream: Stream) {
  const principal = requirePrincipal(request.principal)
  if (!(await permission.mayPush(principal, pathOf(stream)))) throw noSuchMessage()
}

function streamOf(params: unknown): Stream {
  if (Check(pushOperation.params, params)) return params
  throw new AppError('HUB-QRY-001', 'Provider and dataset are letters, digits, "_", "-" and ".".')
}

function streamName({ provider, dataset }: Stream): string {
  return `${provider}/${dataset}`
}

/** As permissions name it (interface 5.10). */
function pathOf(stream: Stream): string {
  return `/${streamName(stream)}`
}

function noSuchMessage(): AppError {
  return new AppError('HUB-RTE-003', 'There is no such message on this stream.')
}
