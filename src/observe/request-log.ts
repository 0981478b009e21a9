import type { FastifyInstance } from 'fastify'

/** One line per answered request; who asked is named by token subject, never by token. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { principal } = request
    request.log.info(
      {
        method: request.method,
        url: withoutSecrets(request.url),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        ...(principal.kind === 'verified' ? { caller: principal.name } : {}),
      },
      'answered',
    )
    done()
  })
}

/** Some clients send tokens in the address, against all advice; they must not end up in the log. */
export function withoutSecrets(url: string): string {
  return url.replace(/([?&](?:access_token|token|client_secret|password)=)[^&]*/gi, '$1***')
}
