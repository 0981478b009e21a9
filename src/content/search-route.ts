import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import { AppError } from '../errors/index.ts'
import { readJsonBodies, readParameters } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import { isObject, pointerTo } from '../lang/json.ts'
import type { Entity, Profile } from './entity.ts'
import { searchOperation } from './schemas.ts'
import type { listOperation } from './schemas.ts'

/** Sends a list for validated parameters. `url` is the base of the links to its pages. */
export type AnswerList = (
  exchange: Exchange,
  query: Static<ReturnType<typeof listOperation>['querystring']>,
  url: string,
) => Promise<FastifyReply>

type Searching = { readonly profile: Profile; readonly list: AnswerList }

/** `POST /v1/{EntityType}Search` (decision D26): the list, with its parameters in the body. */
export const searchRoute =
  (entity: Entity, { profile, list }: Searching): FastifyPluginAsyncTypebox =>
  (app) => {
    readJsonBodies(app)
    const path = `/v1/${entity.path}`
    const schema = searchOperation(entity, profile)
    app.post(`${path}Search`, { schema }, async (request, reply) => {
      const written = toParameters(request.body)
      const query = readParameters({ request, reply }, schema.body, written)
      if (!Check(schema.body, query)) {
        throw new TypeError('read parameters do not fit their schema')
      }
      return list({ request, reply }, query, toAddress(path, written))
    })
    return Promise.resolve()
  }

type Parameters = Readonly<Record<string, unknown>>

/**
 * Returns the parameters in a body: texts, numbers, true, false, and arrays of these, as in a query
 * string (decision D26). Null counts as missing.
 * @throws AppError HUB-BDY-001 for anything else
 */
function toParameters(body: unknown): Parameters {
  if (!isObject(body)) {
    throw new AppError('HUB-BDY-001', 'The body is not a JSON object of parameters.', {
      hint: 'Send for example {"pagesize": 20, "polygon": "POLYGON((…))"}.',
    })
  }
  const given = Object.entries(body).filter(([, value]) => value !== null)
  for (const [name, value] of given) [value].flat().forEach((part) => assertPlain(name, part))
  return Object.fromEntries(given)
}

function assertPlain(name: string, value: unknown): void {
  const pointer = pointerTo('', name)
  const fault = faultOf(value)
  if (fault === undefined && !name.includes('\0')) return
  throw new AppError('HUB-BDY-001', `${name} ${fault ?? 'contains the NUL character'}.`, {
    issues: [
      {
        pointer,
        detail: fault ?? 'contains the NUL character',
        expected: ['string', 'number', 'boolean', 'an array of these'],
      },
    ],
  })
}

/** Returns what is wrong with a value. PostgreSQL texts cannot contain the NUL character. */
function faultOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value.includes('\0') ? 'contains the NUL character' : undefined
  }
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? undefined : 'is not a valid value of a parameter'
}

/** Returns the same request as a URL, for the links to other pages. */
function toAddress(path: string, parameters: Parameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    query.append(name, [value].flat().join(','))
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
