import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/index.ts'
import {
  isUnchanged,
  jsonType,
  reasonFor,
  setCaching,
  tellWithheld,
  weakEtag,
} from '../../http/index.ts'
import { parseFields } from '../fields/parse-fields.ts'
import { toPageSize } from '../list/page-size.ts'
import { toNaming } from '../naming.ts'
import { toEnvelope } from '../page-envelope.ts'
import { tellPageSize } from '../page-parameters.ts'
import type { ReadDeps } from '../read-deps.ts'
import { callerOf } from '../reading.ts'
import { represent } from '../representation/index.ts'
import { withheldRecords } from '../withheld.ts'
import { chooseRows } from './choose-rows.ts'
import { itemOperation, listOperation } from './operation.ts'
import type { TypeListQuery } from './operation.ts'
import { loadRows } from './to-rows.ts'
import type { Row } from './to-rows.ts'
import { typeListsOf } from './type-lists.ts'
import type { TypeList } from './type-lists.ts'

/** `GET /v1/AccommodationTypes`, `/v1/EventTopics` and the like, and their rows (decision D36a). */
export const typeListRoutes =
  (deps: ReadDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const naming = deps.entities[0]?.naming ?? toNaming('Hub')
    for (const list of typeListsOf(naming)) await app.register(routesOf(list, deps))
  }

const routesOf =
  (list: TypeList, deps: ReadDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { profile = 'strict' } = deps
    const address = `${deps.publicUrl}/v1/${list.path}`
    const [listed, single] = [listOperation(list, profile), itemOperation(list)]
    app.get(`/v1/${list.path}`, { schema: listed }, async (request, reply) => {
      const { query, url } = request
      const caller = callerOf(request, deps.visibilityOf)
      tellPageSize(reply, query, caller)
      const { isStrict } = caller
      const paging = { query, url, address, pageSize: sizeOf(query, { ...deps, isStrict }) }
      const rows = chooseRows(list, await load(deps, list, { request, reply }), query)
      return send({ request, reply }, toPage(deps, { ...paging, rows }))
    })
    app.get(`/v1/${list.path}/:id`, { schema: single }, async (request, reply) => {
      const { id } = request.params
      const rows = await load(deps, list, { request, reply })
      const row =
        rows.find(({ Id }) => Id === id) ??
        rows.find(({ Id }) => Id.toLowerCase() === id.toLowerCase())
      if (row === undefined) throw noSuchType(list, id)
      return send({ request, reply }, toText(row, address, request.query))
    })
    return Promise.resolve()
  }

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

async function load(
  deps: ReadDeps,
  list: TypeList,
  { request, reply }: Exchange,
): Promise<readonly Row[]> {
  const { database, entities } = deps
  const caller = callerOf(request, deps.visibilityOf)
  const tag = entities.find(({ name }) => name === 'Tag')
  const isTagged = tag !== undefined && Object.keys(list.tagged).length > 0
  setCaching(reply, request.principal)
  tellWithheld(reply, isTagged ? withheldRecords(tag, caller) : [], reasonFor(request.principal))
  return loadRows(list, { database, tag, caller })
}

function noSuchType({ path }: TypeList, id: string): AppError {
  return new AppError('HUB-RTE-003', `There is no type ${JSON.stringify(id)} in ${path}.`)
}

/** A tag of the text itself: it is short, and made of what stands in code. */
function send({ request, reply }: Exchange, text: string) {
  if (isUnchanged(request, reply, weakEtag([text]))) return reply.send()
  return reply.type(jsonType).send(text)
}

type Paging = {
  readonly rows: readonly Row[]
  readonly query: TypeListQuery
  readonly url: string
  /** Of the list. */
  readonly address: string
  readonly pageSize: number
}

type Sizing = Pick<ReadDeps, 'profile'> & { readonly isStrict: boolean }

const sizeOf = ({ pagesize = 10 }: TypeListQuery, { profile = 'strict', isStrict }: Sizing) =>
  toPageSize(pagesize, { profile, isStrict })

/** All rows as an array where the compatible profile is asked for no page, else a page of them. */
function toPage({ publicUrl }: ReadDeps, { rows, query, pageSize, ...asked }: Paging): string {
  const { pagenumber: pageNumber } = query
  const textOf = (some: readonly Row[]) =>
    `[${some.map((row) => toText(row, asked.address, query)).join(',')}]`
  if (pageNumber === undefined) {
    return textOf(rows)
  }
  const first = (pageNumber - 1) * pageSize
  const envelope = toEnvelope({
    publicUrl,
    url: asked.url,
    total: rows.length,
    pageNumber,
    pageSize,
  })
  const items = textOf(rows.slice(first, first + pageSize))
  return `${JSON.stringify(envelope).slice(0, -1)},"Items":${items}}`
}

type Shown = Pick<TypeListQuery, 'language' | 'fields' | 'removenullvalues'>

/** A row as records are shown. */
function toText(row: Row, address: string, { language, fields, removenullvalues }: Shown): string {
  return represent(JSON.stringify(row), `${address}/${encodeURIComponent(row.Id)}`, {
    language,
    fields: parseFields(fields ?? []),
    selectedBy: 'hub',
    removeNullValues: removenullvalues,
  })
}
