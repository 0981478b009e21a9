import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import { equalTexts } from '../lang/equal-texts.ts'
import { AppError } from '../errors/index.ts'
import { problem } from '../lang/schemas.ts'
import type { Database } from '../storage/index.ts'

/** Something that an operator should check, although the hub responds. */
export type Problem = { readonly component: string; readonly detail: string }

type Deps = {
  readonly database: Database
  /** What an acknowledged message survives on this database (decision D51). */
  readonly durability: string
  /** Returns the names of migrations that are missing in the database. */
  readonly pendingMigrations: () => Promise<readonly string[]>
  /** Returns other current problems; none by default. */
  readonly problems?: () => readonly Problem[]
  /** Returns problems so serious that requests must go to another node. */
  readonly obstacles?: () => readonly Problem[]
}

const healthOperation = {
  operationId: 'getHealth',
  summary: 'Whether the hub and its database respond, and what is wrong',
  description:
    'degraded: the hub responds, but something is wrong, such as refused pushes or dead messages. 503: the database does not respond.',
  tags: ['Operation'],
  response: {
    200: Type.Object({
      status: Type.Enum(['ok', 'degraded']),
      database: Type.Object({ engine: Type.String(), durability: Type.String() }),
      problems: Type.Array(
        Type.Object({
          component: Type.String({ description: 'Such as push' }),
          detail: Type.String({ description: 'What is wrong' }),
        }),
      ),
    }),
    503: problem,
  },
}

const readyOperation = {
  operationId: 'getReady',
  summary: 'Whether the hub can take requests: database reachable and migrated, access rules read',
  description: 'For load balancers; 503 until then.',
  tags: ['Operation'],
  response: { 200: Type.Object({ status: Type.Literal('ready') }), 503: problem },
}

/**
 * Routes for health, meant for people and monitors, and readiness, meant for load balancers. Both
 * check the database.
 */
export const healthRoutes =
  ({
    database,
    durability,
    pendingMigrations,
    problems = () => [],
    obstacles = () => [],
  }: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    app.get('/health', { schema: healthOperation }, async (_request, reply) => {
      await database.ping()
      void reply.header('cache-control', 'no-store')
      const found = [...obstacles(), ...problems()]
      const status = found.length === 0 ? ('ok' as const) : ('degraded' as const)
      return { status, database: { engine: database.engine, durability }, problems: found }
    })
    app.get('/ready', { schema: readyOperation }, async (_request, reply) => {
      const pending = await pendingMigrations()
      if (pending.length > 0) {
        throw new AppError(
          'HUB-SRV-004',
          `The database is missing migrations: ${pending.join(', ')}.`,
          {
            headers: { 'retry-after': '5' },
          },
        )
      }
      const [obstacle] = obstacles()
      if (obstacle !== undefined)
        throw new AppError('HUB-SRV-002', obstacle.detail, { headers: { 'retry-after': '5' } })
      void reply.header('cache-control', 'no-store')
      return { status: 'ready' as const }
    })
    return Promise.resolve()
  }

type ContactDeps = {
  readonly publicUrl: string
  readonly now: () => Date
  /** Contact URIs, `mailto:` or `https:`, the preferred one first (`HUB_SECURITY_CONTACT`). */
  readonly contacts: readonly string[]
}

/** Milliseconds until the file expires: RFC 9116, section 2.5.5, recommends less than a year. */
const validity = 180 * 86_400_000

const path = '/.well-known/security.txt'

/**
 * Publishes the contacts for vulnerabilities (RFC 9116). Without contacts the path does not exist.
 */
export const securityContactRoutes =
  ({ publicUrl, now, contacts }: ContactDeps): FastifyPluginAsync =>
  (app) => {
    if (contacts.length === 0) return Promise.resolve()
    app.get(path, { schema: { hide: true } }, (_request, reply) => {
      const expires = new Date(now().getTime() + validity).toISOString()
      const lines = [
        ...contacts.map((contact) => `Contact: ${contact}`),
        `Expires: ${expires}`,
        'Preferred-Languages: en',
        `Canonical: ${publicUrl}${path}`,
      ]
      void reply.header('cache-control', 'public, max-age=86400')
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\r\n')}\r\n`)
    })
    return Promise.resolve()
  }

/** Who may read `/metrics`, and where (`HUB_METRICS`). */
export type MetricsAccess =
  | { readonly kind: 'on' }
  | { readonly kind: 'off' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'port'; readonly port: number; readonly host: string }

/** Serves `/metrics` in the Prometheus text format to permitted callers. */
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
    // The token of HUB_METRICS is not from the token service, which has therefore rejected it.
    reply.removeHeader('www-authenticate')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function assertToken(authorization: string | undefined, token: string): void {
  const [scheme = '', sent = ''] = (authorization ?? '').split(' ', 2)
  if (scheme.toLowerCase() === 'bearer' && equalTexts(sent, token)) return
  throw new AppError('HUB-ACC-001', 'This path requires the token that HUB_METRICS names.', {
    headers: { 'www-authenticate': 'Bearer realm="metrics"' },
    hint: 'Send it as Authorization: Bearer <token>.',
  })
}

/**
 * Opens a port before the hub listens on its own, so that a port in use prevents the hub from
 * starting.
 */
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

/** Creates a server for `/metrics` only, without authentication and quotas. */
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
