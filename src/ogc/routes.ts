import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import type { RuleTable } from '../access/index.ts'
import { createLimit } from '../async/index.ts'
import type { Entity, Profile } from '../content/index.ts'
import { AppError } from '../errors/index.ts'
import { wantsStrictHandling } from '../http/index.ts'
import { hintAt } from '../lang/index.ts'
import type { Database } from '../storage/index.ts'
import { formOf, sendDocument } from './answers.ts'
import type { Collection } from './collection.ts'
import {
  toCollection,
  toCollections,
  toConformance,
  toLandingPage,
  toQueryables,
  types,
} from './documents.ts'
import type { Shown, Site } from './documents.ts'
import { featureRoutes } from './feature-routes.ts'
import { keepCollections } from './keep-collections.ts'
import type { KeptCollections } from './keep-collections.ts'
import {
  formatParameter,
  itemSchema,
  itemsSchema,
  maxFeatures,
  readStrictly,
} from './parameters.ts'
import { paramOf, route } from './request.ts'

export type OgcDeps = {
  readonly database: Pick<Database, 'read' | 'heavy'>
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  readonly profile?: Profile
  /** Name of the hub. */
  readonly title: string
  readonly version: string
  readonly visibilityOf: RuleTable['visibility']
}

const format = Type.Object(formatParameter)

/**
 * Serves OGC API Features (17-069r4, 18-058r1, 19-079r2) at `/ogc`: every entity that has places,
 * and every station type with its latest values, subject to the caller's rights.
 */
export const ogcRoutes =
  (deps: OgcDeps): FastifyPluginAsync =>
  async (app) => {
    // Everything that could be ignored is an error here anyway.
    app.addHook('onRequest', ({ headers }, reply, done) => {
      if (wantsStrictHandling(headers['prefer']))
        void reply.header('preference-applied', 'handling=strict')
      done()
    })
    const site = { root: `${deps.publicUrl}/ogc`, title: deps.title }
    const collections = keepCollections({ ...deps, database: deps.database.read })
    const find: Find = async (request) => {
      const id = paramOf(request, 'collection')
      return (await collections.find(id)) ?? fail(id, await collections.all())
    }
    for (const [path, { type = types.json, make }] of documentsOf({ ...deps, collections, find })) {
      app.get(`/ogc${path}`, route, async (request, reply) => {
        readStrictly(format, request.query)
        const shown = { ...site, form: formOf(request) }
        const document = await make({ shown, request })
        return sendDocument({ request, reply }, { shown, type, document })
      })
    }
    await app.register(featureRoutes({ ...deps, site, find }))
  }

type Find = (request: FastifyRequest) => Promise<Collection>

type Documented = Pick<OgcDeps, 'version'> & {
  readonly collections: KeptCollections
  readonly find: Find
}

type DocumentRequest = { readonly request: FastifyRequest; readonly shown: Shown }

type Document = {
  /** Media type; JSON if omitted. */
  readonly type?: string
  readonly make: (asked: DocumentRequest) => object | Promise<object>
}

/**
 * Maximum number of uncached extents that are computed concurrently. Each one occupies a connection
 * while it reads all features.
 */
const extentsAtOnce = 4

/** Returns the documents that are the same for every caller, by their paths below `/ogc`. */
function documentsOf({ version, collections, find }: Documented): ReadonlyMap<string, Document> {
  const all = async ({ shown }: DocumentRequest) => {
    const limit = createLimit({ places: extentsAtOnce })
    const described = (await collections.all()).map((one) =>
      limit.run(async () => toCollection(shown, await collections.describe(one))),
    )
    return toCollections(shown, await Promise.all(described))
  }
  const one = async ({ shown, request }: DocumentRequest) =>
    toCollection(shown, await collections.describe(await find(request)))
  const properties = async ({ shown, request }: DocumentRequest) =>
    toQueryables(shown, await find(request))
  const definition = async ({ shown }: DocumentRequest) =>
    toOpenapi(shown, { collections: await collections.all(), version })
  return new Map<string, Document>([
    ['', { make: ({ shown }) => toLandingPage(shown) }],
    ['/conformance', { make: ({ shown }) => toConformance(shown) }],
    ['/collections', { make: all }],
    ['/collections/:collection', { make: one }],
    ['/collections/:collection/queryables', { type: types.schema, make: properties }],
    ['/api', { type: types.openapi, make: definition }],
  ])
}

function fail(id: string, known: readonly Collection[]): never {
  const names = known.map((collection) => collection.id)
  const { hint = 'GET /ogc/collections lists them.' } = hintAt(id, names)
  throw new AppError('HUB-RTE-003', `There is no collection ${JSON.stringify(id)}.`, { hint })
}

/**
 * Describes the interface in OpenAPI 3.0, complete and without external references: clients and
 * validators of this family of standards do not read 3.1. Each collection has paths of its own,
 * because its parameters are its own.
 */
function toOpenapi(
  { root, title }: Site,
  {
    collections,
    version,
  }: { readonly collections: readonly Collection[]; readonly version: string },
): object {
  return {
    openapi: '3.0.3',
    info: {
      title: `${title}: OGC API Features`,
      version,
      description: 'Tourism, mobility and traffic as collections of features',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: root }],
    tags: [
      { name: 'Capabilities', description: 'Collections, their properties and this definition' },
      { name: 'Data', description: 'The features' },
    ],
    paths: {
      '/': document('getLandingPage', 'Landing page'),
      '/conformance': document('getConformance', 'Conformance classes'),
      '/api': document('getApi', 'This document', types.openapi),
      '/collections': document('getCollections', 'All collections'),
      ...Object.fromEntries(collections.flatMap(pathsOf)),
    },
    components: { schemas: { Problem: problem } },
  }
}

const problem = {
  type: 'object',
  description: 'RFC 9457',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    hint: { type: 'string' },
  },
}

const failures = {
  '400': failure('A parameter is wrong or unknown'),
  '404': failure('There is no such resource'),
  '500': failure('The hub failed'),
}

function failure(description: string): object {
  const schema = { $ref: '#/components/schemas/Problem' }
  return { description, content: { 'application/problem+json': { schema } } }
}

function answers(description: string, json: string): object {
  return {
    '200': {
      description,
      content: {
        [json]: { schema: { type: 'object' } },
        [types.html]: { schema: { type: 'string' } },
      },
    },
    ...failures,
  }
}

function document(operationId: string, summary: string, json: string = types.json): object {
  const parameters = toParameters(formatParameter)
  return {
    get: {
      tags: ['Capabilities'],
      operationId,
      summary,
      parameters,
      responses: answers(summary, json),
    },
  }
}

function pathsOf(collection: Collection, index: number): readonly (readonly [string, object])[] {
  const { id } = collection
  const path = `/collections/${encodeURIComponent(id)}`
  // Two ids may differ only in special characters.
  const name = `${id.replaceAll(/\W/g, '_')}_${String(index)}`
  const title = collection.title.en
  const featureId = {
    name: 'featureId',
    in: 'path',
    required: true,
    description: 'Identifier of a feature',
    schema: { type: 'string' },
  }
  const data = (operation: string, summary: string, parameters: readonly object[]) => ({
    get: {
      tags: ['Data'],
      operationId: `${operation}${name}`,
      summary,
      parameters,
      responses: answers(summary, types.geojson),
    },
  })
  const one = [featureId, ...toParameters(schemasIn(itemSchema))]
  const all = toParameters(schemasIn(itemsSchema(collection)))
  return [
    [path, document(`describe${name}`, title)],
    [`${path}/queryables`, document(`queryables${name}`, `${title}: properties`, types.schema)],
    [`${path}/items`, data('list', title, all)],
    [`${path}/items/{featureId}`, data('get', `${title}: one feature`, one)],
  ]
}

function schemasIn(schema: TSchema): Readonly<Record<string, TSchema>> {
  const properties: unknown = Reflect.get(schema, 'properties')
  return typeof properties === 'object' && properties !== null ? { ...properties } : {}
}

/**
 * Documented schema of `bbox`. The hub parses it as a text, so that no part of it is silently
 * dropped.
 */
const box = { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 }

/** Keywords that OpenAPI places beside the schema of a parameter instead of inside it. */
const elsewhere = new Set(['description', 'style', 'explode'])

/**
 * Describes parameters in the terms of OpenAPI 3.0, without those keywords of JSON Schema that it
 * does not have.
 */
function toParameters(schemas: Readonly<Record<string, TSchema>>): readonly object[] {
  return Object.entries(schemas).map(([name, schema]) => {
    const known: Readonly<Record<string, unknown>> = { ...schema }
    const own = Object.entries(known).filter(([key]) => !elsewhere.has(key))
    return {
      name,
      in: 'query',
      required: false,
      description: known['description'],
      style: 'form',
      explode: false,
      schema:
        name === 'bbox'
          ? box
          : {
              ...Object.fromEntries(own),
              ...(name === 'limit' ? { maximum: maxFeatures } : {}),
            },
    }
  })
}
