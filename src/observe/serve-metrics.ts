import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { Registry } from 'prom-client'
import { AppError } from '../errors/index.ts'
import { equalTexts } from '../lang/equal-texts.ts'

/** Who may read `/metrics`, and where (`HUB_METRICS`). */
export type MetricsAccess =
  | { readonly kind: 'on' }
  | { readonly kind: 'off' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'port'; readonly port: number; readonly host: string }

/** Serves `/metrics` in the Prometheus text format to whom it is meant for. */
export function serveMetrics(
  app: FastifyInstance,
  registry: Registry,
  access: MetricsAccess,
): void {
  if (access.kind === 'off') return
  if (access.kind === 'port') {
    openPort(app, metricsServer(registry), access)
    return
  }
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (access.kind === 'token') assertToken(request.headers.authorization, access.token)
    // The token of HUB_METRICS is none of the token service's, which has said so.
    reply.removeHeader('www-authenticate')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function assertToken(authorization: string | undefined, token: string): void {
  const [scheme = '', sent = ''] = (authorization ?? '').split(' ', 2)
  if (scheme.toLowerCase() === 'bearer' && equalTexts(sent, token)) return
  throw new AppError('HUB-ACC-001', 'This address needs the token that HUB_METRICS names.', {
    headers: { 'www-authenticate': 'Bearer realm="metrics"' },
    hint: 'Send it as Authorization: Bearer <token>.',
  })
}

/** Opens a port before the hub listens on its own, so that a port in use keeps the hub from starting. */
function openPort(app: FastifyInstance, server: Server, { port, host }: Address): void {
  app.addHook('onReady', async () => {
    server.listen(port, host)
    await once(server, 'listening')
  })
  app.addHook('onClose', async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
}

type Address = { readonly port: number; readonly host: string }

/** Nothing but `/metrics`: neither callers nor quotas. */
function metricsServer(registry: Registry): Server {
  return createServer(({ method = '', url = '' }, response) => {
    if (url.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end()
    if (!['GET', 'HEAD'].includes(method)) {
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
    }
    const failed = () => response.writeHead(500).end()
    const send = (text: string) =>
      response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    registry.metrics().then(send).catch(failed)
  })
}
