import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { RuleTable } from '../access/index.ts'
import type { Entity } from '../content/index.ts'
import { AppError } from '../errors/index.ts'
import { hintAt } from '../lang/index.ts'
import type { Queryable as Database } from '../storage/index.ts'
import { sendDocument } from './answers.ts'
import type { Collection } from './collection.ts'
import {
  toCollection,
  toCollections,
  toConformance,
  toLandingPage,
  toQueryables,
  types,
} from './documents.ts'
import { featureRoutes } from './feature-routes.ts'
import { keepCollections } from './keep-collections.ts'
import type { KeptCollections } from './keep-collections.ts'
import { toOpenapi } from './openapi.ts'
import type { Described, Site } from './documents.ts'
import { formatParameter, readStrictly } from './parameters.ts'
import { paramOf, route } from './request.ts'

export type OgcDeps = {
  readonly database: Database
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  /** What the hub is called. */
  readonly title: string
  readonly version: string
  readonly visibilityOf: RuleTable['visibility']
}

const format = Type.Object(formatParameter)

/**
 * OGC API Features (17-069r4, 18-058r1, 19-079r2) at `/ogc`: every entity that has places, and every station type
 * with its latest values, by the caller's rights.
 */
export const ogcRoutes =
  (deps: OgcDeps): FastifyPluginAsync =>
  async (app) => {
    const site = { root: `${deps.publicUrl}/ogc`, title: deps.title }
    const collections = keepCollections(deps)
    const find: Find = async (request) => {
      const id = paramOf(request, 'collection')
      return (await collections.find(id)) ?? fail(id, await collections.all())
    }
    for (const [path, document] of documentsOf({ ...deps, site, collections, find })) {
      app.get(`/ogc${path}`, route, async (request, reply) => {
        readStrictly(format, request.query)
        const { type = types.json, make } = document
        return sendDocument({ request, reply }, { site, type, document: await make(request) })
      })
    }
    await app.register(featureRoutes({ ...deps, site, find }))
  }

type Find = (request: FastifyRequest) => Promise<Collection>

type Documented = Pick<OgcDeps, 'version'> & {
  readonly site: Site
  readonly collections: KeptCollections
  readonly find: Find
}

type Document = {
  /** JSON where it is left out. */
  readonly type?: string
  readonly make: (request: FastifyRequest) => object | Promise<object>
}

/** The documents that everybody reads alike, by their addresses below `/ogc`. */
function documentsOf({
  site,
  version,
  collections,
  find,
}: Documented): ReadonlyMap<string, Document> {
  const all = async () => {
    const described = await collections.all()
    return toCollections(
      site,
      described.map((one) => toCollection(site, one)),
    )
  }
  const one = async (request: FastifyRequest) =>
    toCollection(site, await collections.describe(await find(request)))
  const properties = async (request: FastifyRequest) => toQueryables(site, await find(request))
  const definition = async () => {
    const described = await collections.all()
    return toOpenapi(site, { collections: described.map(({ collection }) => collection), version })
  }
  return new Map<string, Document>([
    ['', { make: () => toLandingPage(site) }],
    ['/conformance', { make: () => toConformance(site) }],
    ['/collections', { make: all }],
    ['/collections/:collection', { make: one }],
    ['/collections/:collection/queryables', { type: types.schema, make: properties }],
    ['/api', { type: types.openapi, make: definition }],
  ])
}

function fail(id: string, known: readonly Described[]): never {
  const names = known.map(({ collection }) => collection.id)
  const { hint = 'GET /ogc/collections lists them.' } = hintAt(id, names)
  throw new AppError('HUB-RTE-003', `There is no collection ${JSON.stringify(id)}.`, { hint })
}
