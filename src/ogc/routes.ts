import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { RuleTable } from '../access/index.ts'
import { createLimit } from '../async/index.ts'
import type { Entity, Profile } from '../content/index.ts'
import { AppError } from '../errors/index.ts'
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
import { featureRoutes } from './feature-routes.ts'
import { keepCollections } from './keep-collections.ts'
import type { KeptCollections } from './keep-collections.ts'
import { toOpenapi } from './openapi.ts'
import type { Shown } from './documents.ts'
import { formatParameter, readStrictly } from './parameters.ts'
import { paramOf, route } from './request.ts'

export type OgcDeps = {
  readonly database: Pick<Database, 'read' | 'heavy'>
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  readonly profile?: Profile
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

type Asked = { readonly request: FastifyRequest; readonly shown: Shown }

type Document = {
  /** JSON where it is left out. */
  readonly type?: string
  readonly make: (asked: Asked) => object | Promise<object>
}

/** Of those that are not known: each takes a connection while it is read from all features. */
const extentsAtOnce = 4

/** The documents that everybody reads alike, by their addresses below `/ogc`. */
function documentsOf({ version, collections, find }: Documented): ReadonlyMap<string, Document> {
  const all = async ({ shown }: Asked) => {
    const limit = createLimit({ places: extentsAtOnce })
    const described = (await collections.all()).map((one) =>
      limit.run(async () => toCollection(shown, await collections.describe(one))),
    )
    return toCollections(shown, await Promise.all(described))
  }
  const one = async ({ shown, request }: Asked) =>
    toCollection(shown, await collections.describe(await find(request)))
  const properties = async ({ shown, request }: Asked) => toQueryables(shown, await find(request))
  const definition = async ({ shown }: Asked) =>
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
