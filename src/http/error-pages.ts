import type { FastifyInstance } from 'fastify'
import { AppError, catalogue } from '../errors/index.ts'
import type { ErrorCode } from '../errors/index.ts'

/** The pages that the `type` of a problem resolves to (decision D1). */
export function explainErrors(app: FastifyInstance): void {
  app.get<{ Params: { code: string } }>(
    '/docs/errors/:code',
    { schema: { hide: true } },
    (request, reply) => {
      const { code } = request.params
      if (!isCode(code)) throw new AppError('HUB-RTE-001', `There is no error ${code}.`)
      return reply.type('text/html; charset=utf-8').send(page(code))
    },
  )
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
