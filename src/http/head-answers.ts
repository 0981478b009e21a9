import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/**
 * Answers HEAD without reading the body of a streamed answer (RFC 9110, section 9.3.2): the framework
 * reads the whole stream, and with it the dataset, to throw it away.
 */
export function answerHead(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) {
      done(null, payload)
      return
    }
    payload.destroy()
    done(null, Readable.from([]))
  })
}
