import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import { readParameters } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import type { Entity, Profile } from './entity.ts'
import { searchOperation } from './schemas.ts'
import type { listOperation } from './schemas.ts'
import { readJsonBodies, toAddress, toParameters } from './search-body.ts'

/** Answers a list for parameters that are read, at the address that its pages have. */
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
