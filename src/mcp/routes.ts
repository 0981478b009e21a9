import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { challenge } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { errorHandler, jsonType, readJsonBodies } from '../http/index.ts'
import { askHub, rememberCatalogue } from './ask-hub.ts'
import { resourcesOf } from './resources.ts'

type Deps = {
  readonly publicUrl: string
  /** Name of the hub. */
  readonly title: string
  readonly version: string
  readonly now: () => Date
  /** URL of the authorization server that issues tokens. */
  readonly issuer: string
  /** `HUB_MCP_ORIGINS`: origins whose pages may send messages, separated by spaces. */
  readonly origins: string
  readonly docs: URL
}

const path = '/mcp'
const metadataPath = '/.well-known/oauth-protected-resource'

/** Maximum size of a request body, in bytes. Messages are short, and so are batches of them. */
const bodyLimit = 1_048_576

/**
 * Serves the Model Context Protocol over streamable HTTP, without sessions. GET and DELETE, which
 * would open a stream and end a session, return 405, as the protocol requires of such a server.
 */
export const mcpRoutes =
  (deps: Deps): FastifyPluginAsync =>
  async (app) => {
    const { publicUrl, issuer, title } = deps
    // RFC 9728 section 3.1 appends the path of the resource. Some clients request the URL without
    // it, which describes the whole hub, because `resource` must match the requested URL (section
    // 3.3).
    for (const resourcePath of [path, '']) {
      app.get(`${metadataPath}${resourcePath}`, { schema: { hide: true } }, (_request, reply) =>
        reply.type(jsonType).send({
          resource: `${publicUrl}${resourcePath}`,
          resource_name: title,
          resource_documentation: `${publicUrl}/docs/mcp`,
          authorization_servers: [issuer],
          bearer_methods_supported: ['header'],
          scopes_supported: ['openid'],
        }),
      )
    }
    await app.register(messages(deps))
  }

const messages =
  (deps: Deps): FastifyPluginAsync =>
  (app) => {
    readJsonBodies(app)
    answerErrors(app, deps)
    const resources = resourcesOf(deps.docs)
    const memory = rememberCatalogue()
    app.addHook('onRequest', (request, _reply, done) => {
      assertOrigin(request.headers, deps)
      assertToken(request, deps)
      done()
    })
    app.post(path, { bodyLimit, schema: { hide: true } }, async (request, reply) => {
      const { serveMessages } = await import('./serve-messages.ts')
      const { title, version, now, publicUrl } = deps
      const gone = whenGone(reply)
      const ask = askHub({ app, publicUrl, memory }, { request, gone })
      const answer = await serveMessages(
        { url: `${publicUrl}${path}`, body: request.body, headers: headersOf(request) },
        {
          ...{ title, version, resources, gone, context: { ask, now } },
          onError: (err) => {
            request.log.error({ err }, 'A tool failed.')
          },
        },
      )
      const text = await answer.text()
      void reply.code(answer.status).header('cache-control', 'no-store')
      return text === '' ? reply.send() : reply.type(jsonType).send(text)
    })
    return Promise.resolve()
  }

/** Returns a signal that is aborted if the client disconnects before the response is sent. */
function whenGone({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort()
  })
  return leaving.signal
}

/**
 * Returns the headers for the library. Responses are always JSON, whatever the client accepts. The
 * library checks the version of the protocol.
 */
function headersOf({ headers }: FastifyRequest): Readonly<Record<string, string>> {
  const version = headers['mcp-protocol-version']
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(version === undefined ? {} : { 'mcp-protocol-version': String(version) }),
  }
}

/** Error codes of JSON-RPC 2.0, section 5.1. */
const [unreadable, invalid, internal] = [-32_700, -32_600, -32_603]

/**
 * Formats requests that are refused before a message is parsed as errors without an id, with the
 * hub's own status and hint.
 */
function answerErrors(app: FastifyInstance, deps: Deps): void {
  const format = ({ code, status, message, hint }: AppError) => {
    const known = status >= 500 ? internal : invalid
    return {
      jsonrpc: '2.0',
      id: null,
      error: {
        code: code === 'HUB-BDY-001' ? unreadable : known,
        message: hint === undefined ? message : `${message} ${hint}`,
        data: { errorCode: code, type: `${deps.publicUrl}/docs/errors/${code}` },
      },
    }
  }
  app.setErrorHandler(errorHandler(format, deps))
}

/** Hosts that always denote the local machine. Nobody can register them for another one. */
const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * Refuses pages of unknown origins. Only browsers send `Origin`. A foreign page may have pointed
 * its own host name at this hub (DNS rebinding), so the protocol requires the check (security
 * warning of the transport). The hub's own pages have the origin of its public URL, or on the local
 * machine that of the requested URL.
 * @throws AppError HUB-ACC-003
 */
function assertOrigin(
  { origin, host = '' }: FastifyRequest['headers'],
  { publicUrl, origins }: Deps,
): void {
  if (origin === undefined) return
  // Desktop programs have URL schemes of their own, which no web page can have.
  if (/^(?!https?:)[a-z][a-z\d+.-]*:\/\//i.test(origin)) return
  const own = [new URL(publicUrl).origin, ...(loopback.test(host) ? [`http://${host}`] : [])]
  const allowed = origins.split(' ').filter((one) => one !== '')
  if ([...own, ...allowed].includes(origin) || allowed.includes('*')) return
  throw new AppError('HUB-ACC-003', `Pages of ${origin} may not use ${path}.`, {
    hint: 'The operator can allow their origin by HUB_MCP_ORIGINS.',
  })
}

/**
 * Refuses an invalid token, so that the client gets a new one. An assistant would not notice that
 * it sees less without it.
 * @throws AppError HUB-ACC-002
 */
function assertToken({ principal }: FastifyRequest, { publicUrl }: Deps): void {
  if (principal.kind === 'verified' || principal.rejected === undefined) return
  const metadata = `resource_metadata="${publicUrl}${metadataPath}${path}"`
  throw new AppError('HUB-ACC-002', `${principal.rejected}.`, {
    headers: { 'www-authenticate': `${challenge(principal) ?? 'Bearer'}, ${metadata}` },
    hint: 'Get a new token from the token endpoint, or send none.',
  })
}
