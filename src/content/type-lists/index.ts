import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { commaList, problem } from '../../lang/schemas.ts'
import type { Visibility } from '../../access/index.ts'
import type { Entity, Profile } from '../entity.ts'
import { rejected } from '../filters/values.ts'
import { toPageSize } from '../list/plan.ts'
import { toNaming } from '../naming.ts'
import { envelopeOf, optionalPageParameters, reportPageSize, toEnvelope } from '../pages.ts'
import { itemParameters, listParameters as ofLists } from '../parameters.ts'
import type { ReadDeps } from '../read-deps.ts'
import { callerOf, withheldRecords } from '../reading.ts'
import { parseFields, represent } from '../representation.ts'
import { foldDigraphs, foldText, toFolded } from '../search.ts'
import { isVisible, tableOf } from '../table.ts'
import { typeListsOf } from './types.ts'
import type { TypeList } from './types.ts'
import { AppError } from '../../errors/index.ts'
import { reasonFor, reportWithheld, sendText } from '../../http/index.ts'
import type { Exchange } from '../../http/index.ts'
import { hintAt } from '../../lang/index.ts'
import { fieldsOf, parseObject, textOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** A row of a response (reference content.md 7.14). */
type Row = {
  readonly Id: string
  /** Bit of the type in a mask; 0 if it is not part of a mask. */
  readonly Bitmask: number
  readonly Type: string
  readonly Parent: null
  readonly Key: string
  readonly TypeDesc: Members
}

type From = {
  readonly database: Queryable
  readonly tag: Entity | undefined
  readonly visibility: Visibility
}

type Types = Pick<TypeList, 'masks' | 'tagged'>

/**
 * Loads all rows of a list: those defined in the code, then those of the tags that the caller can
 * see.
 */
export async function loadTypes(list: Types, from: From): Promise<readonly Row[]> {
  const coded = Object.entries(list.masks).flatMap(([type, rows]) =>
    rows.map(({ code, key, names }, bit) =>
      toRow(code, type, { Bitmask: 2 ** bit, Key: key, TypeDesc: names }),
    ),
  )
  return [...coded, ...(await loadTagged(list, from))]
}

async function loadTagged(
  { tagged }: Types,
  { database, tag, visibility }: From,
): Promise<readonly Row[]> {
  const kinds = Object.entries(tagged)
  if (tag === undefined || kinds.length === 0) return []
  const rows = await database.texts(sql`
    select id, data from ${tableOf(tag)}
    where types && ${kinds.flatMap(([, types]) => types)}::text[] and ${isVisible(tag, visibility)}
    order by id`)
  return kinds.flatMap(([type, wanted]) =>
    rows.flatMap(([id, data]) => {
      const record = parseObject(data ?? '{}')
      const types = [record['Types']].flat().map((one) => String(one).toLowerCase())
      const isWanted = typeof id === 'string' && wanted.some((one) => types.includes(one))
      return isWanted ? [taggedRow(id, type, record)] : []
    }),
  )
}

function taggedRow(id: string, type: string, record: Members): Row {
  const TypeDesc = fieldsOf(record['TagName'])
  const Key = textOf(TypeDesc['de']) ?? textOf(record['Shortname']) ?? id
  return toRow(id, type, { Bitmask: 0, Key, TypeDesc })
}

function toRow(
  Id: string,
  Type: string,
  { Bitmask, Key, TypeDesc }: Omit<Row, 'Id' | 'Type' | 'Parent'>,
): Row {
  return { Id, Bitmask, Type, Parent: null, Key, TypeDesc }
}

/**
 * Routes of the type lists, such as `GET /v1/AccommodationTypes` and `/v1/EventTopics`, and of
 * their rows (decision D36a).
 */
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
      reportPageSize(reply, query, caller)
      const { isStrict } = caller
      const paging = { query, url, address, pageSize: sizeOf(query, { ...deps, isStrict }) }
      const rows = chooseRows(list, await load(deps, list, { request, reply }), query)
      return sendText({ request, reply }, toPage(deps, { ...paging, rows }))
    })
    app.get(`/v1/${list.path}/:id`, { schema: single }, async (request, reply) => {
      const { id } = request.params
      const rows = await load(deps, list, { request, reply })
      const row =
        rows.find(({ Id }) => Id === id) ??
        rows.find(({ Id }) => Id.toLowerCase() === id.toLowerCase())
      if (row === undefined) throw noSuchType(list, id)
      return sendText({ request, reply }, toText(row, address, request.query))
    })
    return Promise.resolve()
  }

async function load(
  deps: ReadDeps,
  list: TypeList,
  { request, reply }: Exchange,
): Promise<readonly Row[]> {
  const { database, entities } = deps
  const caller = callerOf(request, deps.visibilityOf)
  const tag = entities.find(({ name }) => name === 'Tag')
  const isTagged = tag !== undefined && Object.keys(list.tagged).length > 0
  reportWithheld(reply, isTagged ? withheldRecords(tag, caller) : [], reasonFor(request.principal))
  return loadTypes(list, { database, tag, visibility: caller.visibility })
}

function noSuchType({ path }: TypeList, id: string): AppError {
  return new AppError('HUB-RTE-003', `There is no type ${JSON.stringify(id)} in ${path}.`)
}

type Paging = {
  readonly rows: readonly Row[]
  readonly query: TypeListQuery
  readonly url: string
  readonly address: string
  readonly pageSize: number
}

type Sizing = Pick<ReadDeps, 'profile'> & { readonly isStrict: boolean }

const sizeOf = ({ pagesize = 10 }: TypeListQuery, { profile = 'strict', isStrict }: Sizing) =>
  toPageSize(pagesize, { profile, isStrict })

/**
 * Prints all rows as an array if the compatible profile is requested without a page number,
 * otherwise a page of them.
 */
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

function toText(row: Row, address: string, { language, fields, removenullvalues }: Shown): string {
  return represent(JSON.stringify(row), `${address}/${encodeURIComponent(row.Id)}`, {
    language,
    fields: parseFields(fields ?? []),
    selectedBy: 'hub',
    removeNullValues: removenullvalues,
  })
}

type RowQuery = Pick<TypeListQuery, 'type' | 'idlist' | 'searchfilter' | 'language'>

/**
 * Returns the requested rows, in the order of the list.
 * @throws AppError HUB-QRY-001 for a type that the list does not have, and for a text to search for
 *   without a letter or sign
 */
function chooseRows(
  { masks, tagged }: TypeList,
  rows: readonly Row[],
  { type, idlist, searchfilter, language }: RowQuery,
): readonly Row[] {
  const types = lower(type)
  assertTypes(types, [...Object.keys(masks), ...Object.keys(tagged)])
  const ids = lower(idlist)
  const wanted = searchfilter === undefined ? undefined : toSearchText(searchfilter)
  return rows.filter(
    (row) =>
      (types === undefined || types.includes(row.Type.toLowerCase())) &&
      (ids === undefined || ids.includes(row.Id.toLowerCase())) &&
      (wanted === undefined || isFound(row, wanted, language)),
  )
}

function lower(items: readonly string[] | undefined): readonly string[] | undefined {
  return items?.map((item) => item.trim().toLowerCase()).filter((item) => item !== '')
}

function assertTypes(wanted: readonly string[] | undefined, known: readonly string[]): void {
  const unknown = wanted?.find((one) => !known.some((type) => type.toLowerCase() === one))
  if (unknown === undefined) return
  throw rejected({
    parameter: 'type',
    detail: `has ${JSON.stringify(unknown)}, which is not a type of this list`,
    expected: known,
    ...hintAt(unknown, known),
  })
}

/** Text to search for: as an identifier, and folded as a part of a name. */
type SearchText = { readonly id: string; readonly folded: string }

const toSearchText = (text: string): SearchText => ({
  id: text.trim().toLowerCase(),
  folded: toFolded('searchfilter', text),
})

/**
 * Reports whether a row has the text as its identifier or as part of a name. Like text search on
 * titles, this ignores accents and case.
 */
function isFound({ Id, TypeDesc }: Row, wanted: SearchText, language: string | undefined): boolean {
  if (Id.toLowerCase() === wanted.id) return true
  return Object.entries(TypeDesc).some(([tongue, name]) => {
    if (typeof name !== 'string' || (language !== undefined && tongue !== language)) return false
    const folded = foldText(name)
    return (
      folded.includes(wanted.folded) || foldDigraphs(folded).includes(foldDigraphs(wanted.folded))
    )
  })
}

const ids = (description: string) =>
  Type.Optional(
    commaList(Type.String({ maxLength: 500 }), {
      maxItems: 1000,
      description,
    }),
  )

const { language, fields, removenullvalues } = itemParameters.properties

/** In the strict profile the response is always a page (decision D20). */
const firstPage = { pagenumber: Type.Optional(ofLists.properties.pagenumber) }

const listParameters = ({ masks, tagged }: TypeList, profile: Profile) =>
  Type.Object({
    type: ids(`Any of: ${[...Object.keys(masks), ...Object.keys(tagged)].join(', ')}`),
    idlist: ids('Identifiers, any of them; case-insensitive'),
    searchfilter: Type.Optional(
      Type.String({ maxLength: 500, description: 'A part of a name, or a whole identifier' }),
    ),
    language,
    fields,
    removenullvalues,
    ...optionalPageParameters(profile),
    ...(profile === 'compatible' ? {} : firstPage),
  })

type TypeListQuery = Static<ReturnType<typeof listParameters>>

/** A row. Every field is optional, because `fields` and `removenullvalues` can leave it out. */
const row = Type.Partial(
  Type.Object(
    {
      Id: Type.String({ description: 'As in records and filters' }),
      Bitmask: Type.Integer({ description: 'Its bit in the mask of a filter; 0: in none' }),
      Type: Type.String(),
      Parent: Type.Union([Type.String(), Type.Null()]),
      Key: Type.String(),
      TypeDesc: Type.Record(Type.String(), Type.String(), { description: 'Its names by language' }),
    },
    { additionalProperties: true },
  ),
)

/** A type list, such as `GET /v1/AccommodationTypes` (decision D36a). */
const listOperation = (list: TypeList, profile: Profile) => ({
  operationId: `list${list.path}`,
  summary: list.summary,
  description: 'The values that records and filters use, with display names.',
  tags: ['Content'],
  querystring: listParameters(list, profile),
  response: {
    200: Type.Union([envelopeOf(Type.Array(row)), Type.Array(row)]),
    400: problem,
    503: problem,
  },
})

const itemOperation = (list: TypeList) => ({
  operationId: `get${list.path}`,
  summary: `One of: ${list.summary}`,
  description: 'As in the list.',
  tags: ['Content'],
  params: Type.Object({
    id: Type.String({
      maxLength: 500,
      description: 'Identifier; case-insensitive',
      examples: [Object.values(list.masks).flat()[0]?.code ?? 'eventtopic:music'],
    }),
  }),
  querystring: Type.Object({ language, fields, removenullvalues }),
  response: { 200: row, 400: problem, 404: problem, 503: problem },
})
