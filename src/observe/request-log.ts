import type { FastifyInstance } from 'fastify'
import { withoutSecrets } from './hide-secrets.ts'

/** What of the address of a client is logged. */
export type ShownAddress = (address: string) => string | undefined

/** One line per answered request; who asked is named by user, client and address, never by token. */
export function logRequests(app: FastifyInstance, shown: ShownAddress): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, principal } = request
    const who =
      principal.kind === 'verified' ? { caller: principal.name, client: principal.client } : {}
    const address = shown(request.ip)
    const url = withoutSecrets(request.url)
    const { statusCode: status, elapsedTime } = reply
    const milliseconds = Math.round(elapsedTime * 10) / 10
    request.log.info({ method, url, status, milliseconds, address, ...who }, 'answered')
    done()
  })
}
