import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { AppError } from '../errors/index.ts'
import { wantsStrictHandling } from './prefer.ts'
import { assertNothingIgnored, readQuery } from './query.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Who reads the query string: `hub` by the schema of the route, unless this says `protocol`. OAuth
     * has parameters of its own, and unknown ones must be ignored (RFC 6749 section 3.1).
     */
    queryReader?: 'protocol'
  }
}

const nothing = Type.Object({})

/**
 * Reads every query string by the schema of its route before the route runs (decision D3), so that
 * handlers get typed values and unknown names are answered in `X-Ignored-Parameters`.
 */
export function readQueries(app: FastifyInstance): void {
  app.addHook('preValidation', (request, reply, done) => {
    if (!request.is404) {
      assertNoNul(request)
      if (request.routeOptions.config.queryReader !== 'protocol') readQueryOf(request, reply)
    }
    done()
  })
}

/** PostgreSQL texts cannot hold the NUL character, so nothing that is stored has it in a name. */
function assertNoNul(request: FastifyRequest): void {
  if (!/%00|\0/.test(request.url)) return
  throw new AppError('HUB-QRY-001', 'The address holds the NUL character (%00).')
}

function readQueryOf(request: FastifyRequest, reply: FastifyReply): void {
  const raw = typeof request.query === 'object' && request.query !== null ? request.query : {}
  request.query = readParameters({ request, reply }, querySchemaOf(request), { ...raw })
}

/**
 * Reads parameters by a schema, wherever they stand, and tells which names nobody reads (decision D3).
 * @throws AppError HUB-QRY-001, HUB-QRY-002, under strict handling HUB-QRY-003
 */
export function readParameters(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  schema: TSchema,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { values, ignored } = readQuery(schema, raw)
  if (wantsStrictHandling(request.headers['prefer'])) {
    assertNothingIgnored(schema, ignored)
    void reply.header('preference-applied', 'handling=strict')
  }
  tellIgnored(reply, ignored)
  return values
}

/** Clients refuse answers with long headers. */
const mostNamed = 50

/** Names parameters that have no effect on the answer, beside those that are named already. */
export function tellIgnored(reply: FastifyReply, names: readonly string[]): void {
  if (names.length === 0) return
  const known = reply.getHeader('x-ignored-parameters')
  const told = typeof known === 'string' ? [known] : []
  const rest = names.length > mostNamed ? ['...'] : []
  const all = [...told, ...names.slice(0, mostNamed).map(encodeURIComponent), ...rest]
  void reply.header('x-ignored-parameters', all.join(', '))
}

function querySchemaOf(request: FastifyRequest): TSchema {
  const schema = request.routeOptions.schema?.querystring
  return typeof schema === 'object' && schema !== null ? schema : nothing
}
