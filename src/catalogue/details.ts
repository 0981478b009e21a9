import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import type { Visibility } from '../access/index.ts'
import {
  checkExpression,
  expressions,
  listMembers,
  loadTagTitles,
  rawFilterOperators,
} from '../content/index.ts'
import type { Entity, Profile } from '../content/index.ts'
import { jsonType, weakEtag } from '../http/index.ts'
import type { Read, Exchange } from '../http/index.ts'
import type { Queryable } from '../storage/index.ts'
import {
  checkTimeseriesExpression,
  listFields,
  loadDataTypeWords,
  timeseriesExpressions,
  whereOperators,
} from '../timeseries/index.ts'
import type { ReadKind } from '../timeseries/index.ts'
import { numbering } from './dataset.ts'
import type { Dataset, Values } from './dataset.ts'
import { mostOf } from './facts.ts'
import type { CatalogueDeps } from './keep-current.ts'
import { datasetParameters } from './schemas.ts'

const problem = Type.Ref('ProblemDetails')
const errors = { 400: problem, 404: problem, 503: problem }
const orNull = (type: string, description: string) =>
  Type.Unsafe({ type: [type, 'null'], description })

const deprecated = Type.Unsafe({
  type: ['object', 'null'],
  required: ['since', 'removedAfter', 'description', 'replacement'],
  properties: {
    since: { type: 'string', format: 'date' },
    removedAfter: { type: 'string', format: 'date', description: 'Served at least until then' },
    description: { type: 'string', description: 'What to use instead' },
    replacement: { type: ['string', 'null'], description: 'The path that has the same value' },
  },
})

const member = Type.Object({
  path: Type.String({
    description: 'As in fields, rawfilter, rawsort, where and select; replace {language} and {key}',
  }),
  type: Type.Enum(['text', 'number', 'boolean', 'time', 'object', 'json', 'value', 'place', 'any']),
  description: orNull('string', 'What it means'),
  isList: Type.Boolean({ description: 'Whether a record may have several values' }),
  canFilter: Type.Boolean(),
  canSort: Type.Boolean(),
  takesToken: Type.Boolean({ description: 'Whether only callers with a token see it' }),
  operators: Type.Array(Type.String(), {
    description: 'Operators of where; for rawfilter see operators above',
  }),
  at: Type.Enum(['records', 'stations', 'values', 'edges'], {
    description: 'Where it is; values: at paths with data types',
  }),
  deprecated,
})

/** `GET /catalogue/{service}/{type}/members` */
const membersOperation = {
  operationId: 'listMembers',
  summary: 'The fields of the records of a dataset: for columns, filters and completion',
  description:
    'Includes deprecated fields, since when they are deprecated, and what to use instead.',
  tags: ['Catalogue'],
  params: datasetParameters,
  response: {
    200: Type.Object({
      id: Type.String(),
      language: Type.Enum(['rawfilter', 'where'], {
        description: 'Language in which the dataset is filtered',
      }),
      operators: Type.Array(Type.String(), { description: 'Operators of the language' }),
      members: Type.Array(member),
    }),
    ...errors,
  },
}

const counted = { id: Type.String(), count: Type.Integer() }
const texts = Type.Record(Type.String(), Type.String(), { description: 'By language' })

/** `GET /catalogue/{service}/{type}/values` */
const valuesOperation = {
  operationId: 'listValues',
  summary: 'The tags, languages, sources and licences in use in a dataset, with counts',
  description:
    'Counts what the caller can see; the most frequent first. The identifiers are those that tagfilter, langfilter, source and the path of data types accept.',
  tags: ['Catalogue'],
  params: datasetParameters,
  response: {
    200: Type.Object({
      id: Type.String(),
      tags: Type.Array(Type.Object({ ...counted, title: texts })),
      languages: Type.Array(Type.Object(counted)),
      sources: Type.Array(Type.Object(counted)),
      licences: Type.Array(Type.Object(counted)),
      dataTypes: Type.Array(
        Type.Object({
          ...counted,
          unit: orNull('string', 'Unit of measurement'),
          description: orNull('string', 'What it means'),
        }),
      ),
    }),
    ...errors,
  },
}

const issue = Type.Object({
  detail: Type.String(),
  position: Type.Optional(Type.Integer({ description: 'Zero-based offset in the text' })),
  expected: Type.Optional(Type.Array(Type.String())),
  hint: Type.Optional(Type.String()),
})

const expression = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 50_000, description, examples: [example] }))

/** `GET /catalogue/{service}/{type}/check` */
const checkOperation = {
  operationId: 'checkExpressions',
  summary: 'Whether expressions can be read, without running them',
  description:
    'A fault is reported in a successful response, with its position. Shapes and tags are not looked up, so an unknown one is not a fault here.',
  tags: ['Catalogue'],
  params: datasetParameters,
  querystring: Type.Object({
    rawfilter: expression('Of the content service', 'eq(Active,true)'),
    rawsort: expression('Of the content service', '-LastChange'),
    tagfilter: expression('Of the content service', 'summer'),
    polygon: expression('Of the content service', 'bbi(11.2 46.4,11.4 46.6)'),
    fields: expression('Of the content service', 'Id,Shortname'),
    where: expression('Of the time series service', 'scode.eq."105"'),
    select: expression('Of the time series service', 'scode,sname'),
    at: Type.Enum(['stations', 'values', 'edges'], {
      default: 'values',
      description: 'Paths to which where and select apply',
    }),
  }),
  response: {
    200: Type.Object({
      id: Type.String(),
      checks: Type.Array(
        Type.Object({
          parameter: Type.String(),
          valid: Type.Boolean(),
          canonical: orNull('string', 'As the hub understood it'),
          errors: Type.Array(issue),
          warnings: Type.Array(issue),
        }),
      ),
    }),
    ...errors,
  },
}

type ValueDeps = { readonly database: Queryable; readonly entities: readonly Entity[] }

const most = 500

/** The values in use, with the titles of tags and the units of data types. */
async function describeValues(
  { database, entities }: ValueDeps,
  { tags, languages, sources, licences, dataTypes }: Values,
  visibility: Visibility,
) {
  const ids = [...tags.keys()].slice(0, most)
  const tagEntity = entities.find(({ name }) => name === 'Tag')
  const titles =
    tagEntity === undefined || ids.length === 0
      ? new Map<string, Readonly<Record<string, string>>>()
      : await loadTagTitles(database, tagEntity, { ids, visibility })
  const words = await loadDataTypeWords(database, [...dataTypes.keys()])
  const nothing = { unit: null, description: null }
  return {
    tags: mostOf(tags, most).map((tag) => ({ ...tag, title: titles.get(tag.id) ?? {} })),
    languages: mostOf(languages, most),
    sources: mostOf(sources, most),
    licences: mostOf(licences, most),
    dataTypes: mostOf(dataTypes, most).map((one) => ({
      ...one,
      ...(words.get(one.id) ?? nothing),
    })),
  }
}

/** The text of an answer with its entity tag. */
type Answer = { readonly body: string; readonly etag: string; readonly type: string }

type AnswerRequest = {
  readonly key: string
  /** What the answer is made from: things that are others, and not only equal, once they changed. */
  readonly basis: readonly unknown[]
  readonly make: () => Promise<Answer>
}

type Known = { readonly basis: readonly unknown[]; readonly answer: Promise<Answer> }

/** Answers under their keys, up to a maximum; each is made again when its data has changed. */
export function rememberAnswers(max: number): (wanted: AnswerRequest) => Promise<Answer> {
  const answers = new LRUCache<string, Known>({ max })
  return ({ key, basis, make }) => {
    const known = answers.get(key)
    if (known !== undefined && isSame(known.basis, basis)) return known.answer
    const made = { basis, answer: make() }
    answers.set(key, made)
    made.answer.catch(() => {
      if (answers.get(key) === made) answers.delete(key)
    })
    return made.answer
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((thing, place) => thing === other[place])
}

/** A dataset that was found for a caller. */
export type FoundDataset = {
  readonly dataset: Dataset
  readonly values: Values
  /** What titles of tags are read from. */
  readonly tags: readonly unknown[]
}

/** Answers that are kept: fields and values of every dataset, for some kinds of rights. */
const mostAnswers = 500

type Params = { readonly service: string; readonly type: string }

type Deps = CatalogueDeps & {
  /** @throws AppError HUB-RTE-003 for a dataset that the caller may not know of */
  readonly find: (request: FastifyRequest, params: Params) => Promise<FoundDataset>
  readonly answer: AnswerCatalogue
}

/** Answers a read of the catalogue, with the headers that all of them have. */
export type AnswerCatalogue = (exchange: Exchange, run: Read['run']) => Promise<FastifyReply>

/** What those need who build a request for a dataset: fields, values in use, a look at expressions. */
export const detailRoutes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { find, answer, database } = deps
    const remember = rememberAnswers(mostAnswers)
    const numbers = numbering()
    const path = '/catalogue/:service/:type'
    app.get(`${path}/members`, { schema: membersOperation }, (request, reply) =>
      answer({ request, reply }, async () => {
        const { dataset, values } = await find(request, request.params)
        const { id, type } = dataset
        const entity = entityOf(deps, dataset)
        const members = async () =>
          entity === undefined ? stationMembers(database, type) : entityMembers(entity)
        const make = async () => toAnswer({ id, ...(await members()) })
        // Stations are summarised again whenever one of them has changed.
        const basis = [entity ?? values.dataTypes]
        return remember({ key: `members ${id}`, basis, make })
      }),
    )
    app.get(`${path}/values`, { schema: valuesOperation }, (request, reply) =>
      answer({ request, reply }, async () => {
        const { dataset, values, tags } = await find(request, request.params)
        const { id } = dataset
        const visibility = deps.visibilityOf(request.principal)
        const make = async () =>
          toAnswer({ id, ...(await describeValues(deps, values, visibility)) })
        const basis = [visibility, ...tags, ...Object.values(values)]
        const key = `values ${String(numbers(visibility))} ${id}`
        return remember({ key, basis, make })
      }),
    )
    app.get(`${path}/check`, { schema: checkOperation }, (request, reply) =>
      answer({ request, reply }, async () => {
        const { dataset } = await find(request, request.params)
        return toAnswer({ id: dataset.id, checks: checkExpressions(deps, dataset, request.query) })
      }),
    )
    return Promise.resolve()
  }

/** The entity whose lists show a dataset; undefined for stations. */
function entityOf({ entities }: CatalogueDeps, { service, type }: Dataset): Entity | undefined {
  if (service === 'timeseries') return undefined
  const name = service === 'traffic' ? 'Announcement' : type
  return entities.find((entity) => entity.name === name)
}

function toAnswer(content: object): Answer {
  const body = JSON.stringify(content)
  return { body, etag: weakEtag([body]), type: jsonType }
}

type Query = Readonly<Record<string, unknown>> & { readonly at: ReadKind }

/** Checks the expressions of a request to the lists of a dataset. */
function checkExpressions(deps: CatalogueDeps, dataset: Dataset, query: Query) {
  const entity = entityOf(deps, dataset)
  if (entity === undefined) return checkStations(deps.profile ?? 'strict', query)
  return checkRecords(entity, query)
}

function checkRecords(entity: Entity, query: Query) {
  return [
    ...expressions.flatMap((parameter) => {
      const written = query[parameter]
      if (typeof written !== 'string') return []
      return [{ parameter, ...checkExpression(entity, parameter, written) }]
    }),
    ...strangers(query, timeseriesExpressions, 'the time series service'),
  ]
}

/** Checks the expressions of a request to the stations of a type. */
function checkStations(profile: Profile, query: Query) {
  return [
    ...timeseriesExpressions.flatMap((name) => {
      const written = query[name]
      if (typeof written !== 'string') return []
      const checked = checkTimeseriesExpression({ name, written, at: query.at, profile })
      return [{ parameter: name, ...checked, warnings: [] }]
    }),
    ...strangers(query, expressions, 'the content service'),
  ]
}

/** Parameters that the dataset does not take. */
function strangers(query: Query, names: readonly string[], service: string) {
  return names
    .filter((name) => typeof query[name] === 'string')
    .map((parameter) => {
      const detail = `${parameter} belongs to ${service}`
      const reported = { valid: false, canonical: null, warnings: [] }
      return { parameter, ...reported, errors: [{ parameter, detail }] }
    })
}

/** The fields of the records of an entity. */
function entityMembers(entity: Entity) {
  const members = listMembers(entity).map((member) => ({
    ...member,
    operators: [],
    at: 'records',
  }))
  return { language: 'rawfilter', operators: rawFilterOperators, members }
}

/** The fields of a station type. */
async function stationMembers(database: Queryable, type: string) {
  const fields = await listFields(database, type)
  const members = fields.map(({ name, type: kind, operators, at }) => ({
    path: name,
    type: kind,
    description: null,
    isList: false,
    canFilter: true,
    canSort: false,
    takesToken: false,
    deprecated: null,
    operators,
    at,
  }))
  return { language: 'where', operators: whereOperators, members }
}
