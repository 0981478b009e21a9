import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, catalogue } from '../errors/index.ts'
import type { ErrorCode } from '../errors/index.ts'
import { setCaching } from './answer.ts'

/** Answers whoever looks with a browser; undefined where there is no page for browsers. */
export type AnswerBrowser = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/**
 * What the `type` of a problem resolves to (decision D1): the Explorer's page in a browser, a plain one
 * for everybody else and where nobody built the Explorer.
 */
export function explainErrors(app: FastifyInstance, answerBrowser?: AnswerBrowser): void {
  app.get<{ Params: { code: string } }>(
    '/docs/errors/:code',
    { schema: { hide: true } },
    (request, reply) => {
      const { code } = request.params
      if (!isCode(code)) throw new AppError('HUB-RTE-001', `There is no error ${code}.`)
      if (answerBrowser !== undefined && isBrowser(request)) return answerBrowser(request, reply)
      setCaching(reply, request.principal)
      return reply.type('text/html; charset=utf-8').send(page(code))
    },
  )
}

/** Programs take what comes; browsers name HTML. */
function isBrowser({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(catalogue, code)
}

function page(code: ErrorCode): string {
  const { status, title, explanation } = catalogue[code]
  const prose = explanation
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${code}: ${title}</title>
<style>
  body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
  code { font-size: .95em }
</style>
<h1>${title}</h1>
<p><code>${code}</code>, HTTP status ${String(status)}</p>
<p>${prose}</p>
<p><a href="/docs">Documentation of the hub</a></p>
</html>
`
}
