import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { commaList, groupingParameters, referer } from '../lang/schemas.ts'
import { requirePrincipal } from '../access/index.ts'
import { form } from '../errors/index.ts'
import type { Entity, Profile } from './entity.ts'
import { filtersOf } from './filters/index.ts'
import type { Parameter } from './filters/index.ts'

/** Parameters that change how a record looks, on lists and single reads (interface 4.2, 4.4). */
const representationParameters = {
  language: Type.Optional(
    Type.String({
      ...form('^[a-z]{2,3}$', 'is not a valid language code; write it like de'),
      maxLength: 3,
      examples: ['de'],
      description: 'Only texts in this language, such as en, de or it; default: all languages',
    }),
  ),
  fields: Type.Optional(
    commaList(Type.String({ maxLength: 500 }), {
      maxItems: 200,
      examples: [['Id', 'Shortname']],
      description: 'Only these fields: Detail.en.Title, Tags.[*].Id, ImageGallery.[0] …',
    }),
  ),
  removenullvalues: Type.Boolean({
    default: false,
    description: 'Leave out fields that are null or empty',
  }),
  referer,
}

export const itemParameters = Type.Object(representationParameters)

const largest = 2_147_483_647

/** Parameters of every list, apart from its filters. */
export const listParameters = Type.Object({
  pagenumber: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: largest,
    description: 'Page to return',
  }),
  pagesize: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: largest,
    description: 'Items per page; more than 1000 is clamped to 1000',
  }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description:
        'Start of the page: from the Link header of the previous page, instead of pagenumber. Every page takes the same time, however far it is',
    }),
  ),
  seed: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10,
      description:
        'Random order, the same for the same number; 0 chooses a number and returns it as Seed',
    }),
  ),
  getasidarray: Type.Boolean({
    default: false,
    description: 'Only the identifiers of all matching records, as an array',
  }),
  explain: Type.Boolean({
    default: false,
    description:
      'Instead of records: the filters as the hub understood them, how many records match each of them and all of them, and hints',
  }),
  ...groupingParameters(
    {
      examples: [['LocationInfo.MunicipalityInfo.Name.de']],
      description:
        'Instead of records: groups of records with the same values at up to three paths, written as in fields. One path may contain [*]; a record then counts once for each of its values',
    },
    {
      examples: [['count', 'avg(Altitude)']],
      description:
        'Aggregates of each group: count, count(path), sum(path), avg(path), min(path), max(path); default: count. Without groupby all matching records are one group',
    },
  ),
  ...representationParameters,
})
export type ListParameters = Omit<Static<typeof listParameters>, 'explain'>

/** List parameters whose schema differs in the compatible profile (decisions D20, D21, D25). */
const compatibleParameters = {
  pagesize: Type.Integer({
    default: 10,
    minimum: -1,
    maximum: largest,
    description: 'Items per page; -1 and 0: everything',
  }),
  seed: Type.Optional(
    Type.String({ maxLength: 100, description: 'Random order; 0 draws a number' }),
  ),
}

const optionalPage = {
  pagenumber: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: largest,
      description: 'Page; without it all, as an array',
    }),
  ),
}

/** Language parameter of the accommodation list, which supports only these (interface 4.2). */
const oneLanguage = Type.Optional(
  Type.Enum(['de', 'it', 'en', 'nl', 'cs', 'pl', 'fr', 'ru'], {
    description: 'Only texts in this language; default: all languages',
  }),
)

type Schemas = Readonly<Record<string, TSchema>>

/**
 * Returns the list parameters that are specific to an entity and a profile: filters, and parameters
 * whose schema differs from that of other lists.
 */
export function parametersOf(entity: Entity, profile: Profile): Schemas {
  const filters = filtersOf(entity).flatMap(({ parameters }) => parameters)
  const instead = new Map(
    entity.deprecations.flatMap(({ kind, name, description }) =>
      kind === 'parameter' ? [[name, description]] : [],
    ),
  )
  return {
    ...Object.fromEntries(
      filters.map((parameter) => [
        parameter.name,
        toSchema(parameter, instead.get(parameter.name)),
      ]),
    ),
    ...(entity.name === 'Accommodation' ? { language: oneLanguage } : {}),
    ...(profile === 'compatible' ? compatibleParameters : {}),
    ...(profile === 'compatible' && entity.isBareList ? optionalPage : {}),
  }
}

/**
 * Returns the parameters of single reads of an entity, in addition to those of every single read.
 */
export function itemParametersOf(entity: Entity): Schemas {
  const parameters = entity.itemFilters.flatMap((one) => one.parameters)
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, toSchema(parameter, undefined)]),
  )
}

/** @param instead what to use instead of a deprecated parameter */
function toSchema(parameter: Parameter, instead: string | undefined): TSchema {
  const { schema, aliases = [], beside } = parameter
  const named = Type.With(schema, {
    ...exampleOf(parameter),
    ...(aliases.length === 0 ? {} : { 'x-aliases': [...aliases] }),
    ...(beside === undefined ? {} : { 'x-beside': beside }),
  })
  if (instead === undefined) return Type.Optional(named)
  const description = [Reflect.get(schema, 'description'), instead].join('. ')
  return Type.Optional(Type.With(named, { deprecated: true, description }))
}

/** Returns the first good value, converted to the type of the parameter. */
function exampleOf({ schema, examples }: Parameter): { readonly examples?: unknown[] } {
  const [text] = examples.good
  if (text === undefined) return {}
  const type: unknown = Reflect.get(schema, 'type')
  if (type === 'boolean') return { examples: [text.toLowerCase() === 'true'] }
  if (type === 'integer' || type === 'number') return { examples: [Number(text)] }
  return { examples: [type === 'array' ? text.split(',') : text] }
}

/** Requires a token for the routes of this scope, and documents that in OpenAPI. */
export function requireTokens(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { schema = {} } = route
    const response = { ...schemasOf(schema.response), 401: Type.Ref('ProblemDetails') }
    route.schema = { ...schema, security: [{ bearer: [] }], response }
  })
  app.addHook('preHandler', (request, _reply, done) => {
    requirePrincipal(request.principal)
    done()
  })
}

function schemasOf(response: unknown): object {
  return typeof response === 'object' && response !== null ? response : {}
}

/**
 * Identifiers of the records that the examples of writes create and the examples of reads show. In
 * this order, all examples can be run.
 */
export const exampleIds = ['example-1', 'example-2'] as const

/** Identifier of the event that `hub demo --empty` shows. */
const exampleEvent = 'example-roadworks'

/** Returns the identifier of the record that reads of an entity show as their example. */
export function exampleIdOf({ area }: Entity): string {
  return area === 'event' ? exampleEvent : exampleIds[0]
}
