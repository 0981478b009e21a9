import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Visibility } from '../access/index.ts'
import {
  checkExpression,
  expressions,
  inLanguages,
  listMembers,
  listParameters,
  loadPlaceTitles,
  loadTagTitles,
  loadTypes,
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
import { mostOf, numbering } from './facts.ts'
import type { Values } from './facts.ts'
import type { Built, CatalogueDeps } from './keep-current.ts'
import { checkOperation, columnRoles, membersOperation, valuesOperation } from './detail-schemas.ts'
import type { Dataset } from './schemas.ts'

type ValueDeps = {
  readonly database: Queryable
  readonly entities: readonly Entity[]
  readonly visibility: Visibility
  /** Entity that lists the records of the dataset; undefined for stations. */
  readonly entity: Entity | undefined
}

const most = 500

async function describeValues(
  { database, entities, visibility, entity }: ValueDeps,
  { tags, languages, sources, licences, dataTypes }: Values,
) {
  const ids = [...tags.keys()].slice(0, most)
  const tagEntity = entities.find(({ name }) => name === 'Tag')
  const titles =
    tagEntity === undefined || ids.length === 0
      ? new Map<string, Readonly<Record<string, string>>>()
      : await loadTagTitles(database, tagEntity, { ids, visibility })
  const words = await loadDataTypeWords(database, [...dataTypes.keys()])
  const nothing = { unit: null, description: null }
  const parameters = entity === undefined ? [] : listParameters(entity)
  return {
    tags: mostOf(tags, most).map((tag) => ({ ...tag, title: titles.get(tag.id) ?? {} })),
    languages: mostOf(languages, most),
    sources: mostOf(sources, most),
    licences: mostOf(licences, most),
    dataTypes: mostOf(dataTypes, most).map((one) => ({
      ...one,
      ...(words.get(one.id) ?? nothing),
    })),
    parameters: await loadChoices(parameters, { database, entities, visibility, tag: tagEntity }),
  }
}

type ChoiceDeps = Pick<ValueDeps, 'database' | 'entities' | 'visibility'> &
  Parameters<typeof loadTypes>[1]

/** Loads the choices of each parameter that has a list of types or places. */
async function loadChoices(parameters: ReturnType<typeof listParameters>, from: ChoiceDeps) {
  const choices = parameters.map(async (parameter) => {
    const found = await loadOptions(parameter, from)
    return found === undefined ? [] : [[parameter.name, found] as const]
  })
  return Object.fromEntries((await Promise.all(choices)).flat())
}

async function loadOptions(
  { kind, types, places }: ReturnType<typeof listParameters>[number],
  from: ChoiceDeps,
) {
  if (types !== undefined) {
    const rows = await loadTypes(types, from)
    const idOf = (row: (typeof rows)[number]) => (kind === 'bits' ? String(row.Bitmask) : row.Id)
    return rows.map((row) => ({ id: idOf(row), code: row.Id, title: row.TypeDesc }))
  }
  const entity = from.entities.find(({ name }) => name === places?.entity)
  if (places === undefined || entity === undefined) return undefined
  const titles = await loadPlaceTitles(from.database, entity, from.visibility)
  return [...titles].map(([code, title]) => ({ id: `${places.prefix}${code}`, code, title }))
}

type Answer = { readonly body: string; readonly etag: string; readonly type: string }

type AnswerRequest = {
  readonly key: string
  /** Inputs of the response, compared by identity: a change must produce a new object. */
  readonly basis: readonly unknown[]
  readonly make: () => Promise<Answer>
}

type Known = { readonly basis: readonly unknown[]; readonly answer: Promise<Answer> }

/** Returns a cache of responses by key. A response is made again when its data has changed. */
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

/** A dataset that the caller may see. */
export type FoundDataset = {
  readonly dataset: Dataset
  readonly values: Values
  /** Objects that titles of tags are read from, compared by identity. */
  readonly tags: readonly unknown[]
  readonly linked: Built['linked']
}

/**
 * Maximum number of cached responses: fields and values per dataset, for several kinds of rights.
 */
const maxAnswers = 500

type Params = { readonly service: string; readonly type: string }

type Deps = CatalogueDeps & {
  /** @throws AppError HUB-RTE-003 for a dataset that is missing or that the caller must not see */
  readonly find: (request: FastifyRequest, params: Params) => Promise<FoundDataset>
  readonly answer: AnswerCatalogue
}

/** Responds to a read request of the catalogue, with the headers common to all of them. */
export type AnswerCatalogue = (exchange: Exchange, run: Read['run']) => Promise<FastifyReply>

/** Routes that help to build requests: fields, values in use, checks of expressions. */
export const detailRoutes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { find, answer, database } = deps
    const remember = rememberAnswers(maxAnswers)
    const numbers = numbering()
    const path = '/catalogue/:service/:type'
    app.get(`${path}/members`, { schema: membersOperation }, (request, reply) =>
      answer({ request, reply }, async () => {
        const { dataset, values } = await find(request, request.params)
        const { id, type } = dataset
        const entity = entityOf(deps, dataset)
        const members = async () =>
          entity === undefined ? stationFields(database, type) : entityFields(entity)
        const make = async () => toAnswer({ id, ...(await members()) })
        // The tally of data types is a new object whenever a station has changed.
        const basis = [entity ?? values.dataTypes]
        return remember({ key: `members ${id}`, basis, make })
      }),
    )
    app.get(`${path}/values`, { schema: valuesOperation }, (request, reply) =>
      answer({ request, reply }, async () => {
        const { dataset, values, tags } = await find(request, request.params)
        const { id } = dataset
        const visibility = deps.visibilityOf(request.principal)
        const given = { ...deps, visibility, entity: entityOf(deps, dataset) }
        const make = async () => toAnswer({ id, ...(await describeValues(given, values)) })
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

/** Returns the entity that lists the records of a dataset; undefined for stations. */
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

/** Reports parameters that the dataset does not accept. */
function strangers(query: Query, names: readonly string[], service: string) {
  return names
    .filter((name) => typeof query[name] === 'string')
    .map((parameter) => {
      const detail = `${parameter} belongs to ${service}`
      const reported = { valid: false, canonical: null, warnings: [] }
      return { parameter, ...reported, errors: [{ parameter, detail }] }
    })
}

function entityFields(entity: Entity) {
  const members = listMembers(entity).map((member) => ({
    ...member,
    operators: [],
    at: 'records',
  }))
  const parameters = listParameters(entity).map(({ types: _, places: __, ...own }) => own)
  return {
    language: 'rawfilter',
    operators: rawFilterOperators,
    parameters,
    members: withColumns(members),
  }
}

type Shown = {
  readonly path: string
  readonly role: string | null
  readonly deprecated: unknown
}

/** Adds positions of default columns. For each role, the field with the shortest path gets one. */
function withColumns<Field extends Shown>(fields: readonly Field[]) {
  const depthOf = ({ path }: Field) => path.split('.').length
  const shown = fields
    .filter(({ deprecated }) => deprecated === null)
    .toSorted((one, other) => depthOf(one) - depthOf(other))
  const columns = columnRoles.flatMap((role) => shown.find((field) => field.role === role) ?? [])
  const places = new Map<unknown, number>(columns.map((field, place) => [field, place]))
  return fields.map((field) => ({ ...field, column: places.get(field) ?? null }))
}

async function stationFields(database: Queryable, type: string) {
  const fields = await listFields(database, type)
  const members = fields.map(({ name, type: kind, operators, at, shown }) => ({
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
    label: shown === undefined ? null : inLanguages(shown.label),
    role: shown?.role ?? null,
    part: null,
    entity: null,
    unit: null,
    filters: [],
  }))
  return {
    language: 'where',
    operators: whereOperators,
    parameters: [],
    members: withColumns(members),
  }
}
