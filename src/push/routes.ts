import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { errorHandler, jsonType, toProblem } from '../http/index.ts'
import type { ErrorFormat } from '../http/index.ts'
import { acceptRoute } from './accept/accept-route.ts'
import { describePush } from './describe-push.ts'
import { loadOriginal } from './load-original.ts'
import type { PushDeps } from './push-deps.ts'
import { loadReceipt } from './receipt.ts'
import { originalOperation, receiptOperation } from './schemas.ts'
import { assertMayRead, noSuchMessage, streamOf } from './stream-of.ts'

/** Push errors carry `message` beside the members of a problem (decision D1). */
const pushErrorFormat: ErrorFormat = (error, occasion) => ({
  message: error.title,
  ...toProblem(error, occasion),
})

/** The push collector: accepts what providers send, and says what became of it (interface 4.10). */
export const pushRoutes =
  (deps: PushDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.setErrorHandler(errorHandler(pushErrorFormat, deps))
    describePush(app, deps)
    acceptRoute(app, deps)

    app.get(
      '/push/:provider/:dataset/:id',
      { schema: receiptOperation },
      async (request, reply) => {
        const stream = streamOf(request.params)
        await assertMayRead(deps.permission, request, stream)
        const receipt = await loadReceipt(deps.database, stream, request.params.id)
        if (receipt === undefined) throw noSuchMessage()
        void reply.header('cache-control', 'no-store').type(jsonType)
        return reply.send(JSON.stringify(receipt))
      },
    )

    app.get(
      '/push/:provider/:dataset/:id/original',
      { schema: originalOperation },
      async (request, reply) => {
        const stream = streamOf(request.params)
        const { client: sender } = await assertMayRead(deps.permission, request, stream)
        const { id } = request.params
        const original = await loadOriginal(deps.database, { stream, id, sender })
        if (original === undefined) throw noSuchMessage()
        if (original.encoding !== null) void reply.header('content-encoding', original.encoding)
        return reply
          .headers({
            'cache-control': 'no-store, no-transform',
            // It may be a page, and must not run as one of ours.
            'content-disposition': `attachment; filename="${id}"`,
            'content-security-policy': 'sandbox',
            'repr-digest': `sha-256=:${original.sha256}:`,
            'content-type': original.contentType ?? 'application/octet-stream',
          })
          .send(original.bytes)
      },
    )
  }
