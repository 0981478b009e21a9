import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '../../errors/index.ts'
import { answerRead, isPublic, jsonType, preferredType, weakEtag } from '../../http/index.ts'
import type { StationSource } from '../../timeseries/index.ts'
import { answerDocument } from '../answer-document.ts'
import type { Exit, KeptExit, Offer } from '../keep-exit.ts'
import { providersIn, root, toKey } from './publish.ts'
import type { Region } from './publish.ts'
import { problem } from '../../lang/schemas.ts'
import { energyExits } from './energy.ts'
import { parkingExits } from './parking.ts'

/** Names of a DATEX II v3 publication in URLs and in OpenAPI. */
type PublicationName = {
  readonly name: string
  readonly operationId: string
  readonly summary: string
  /** Type of the publication in the JSON encoding. */
  readonly type: string
  /** A provider in the demo, for examples. */
  readonly provider: string
}

const publications: readonly PublicationName[] = [
  {
    name: 'energy-infrastructure-table',
    operationId: 'getEnergyInfrastructureTable',
    summary: 'Charging stations of a provider with their plugs, as DATEX II v3 under AFIR',
    type: 'aegiEnergyInfrastructureTablePublication',
    provider: 'alperia',
  },
  {
    name: 'energy-infrastructure-status',
    operationId: 'getEnergyInfrastructureStatus',
    summary: 'Which charging points of a provider are free, as DATEX II v3 under AFIR',
    type: 'aegiEnergyInfrastructureStatusPublication',
    provider: 'alperia',
  },
  {
    name: 'parking-table',
    operationId: 'getParkingTable',
    summary: 'Car parks and single parking places of a provider, as DATEX II v3',
    type: 'prkParkingTablePublication',
    provider: 'famas',
  },
  {
    name: 'parking-status',
    operationId: 'getParkingStatus',
    summary: 'Occupancy of the car parks of a provider, as DATEX II v3',
    type: 'prkParkingStatusPublication',
    provider: 'famas',
  },
]

function operationsOf({ operationId, summary, type, provider }: PublicationName) {
  return {
    operationId,
    summary,
    description:
      'Model 3.7. The same for every caller: closed values are missing. /health/standards lists ' +
      'stations that cannot be published.',
    tags: ['Traffic'],
    params: Type.Object({
      provider: Type.String({
        examples: [provider],
        maxLength: 255,
        description: 'Provider: its origin in lower case, with - for _',
      }),
    }),
    response: {
      200: {
        description: `The latest publication: XML, or the JSON encoding of DATEX II (${type})`,
        content: {
          'application/xml': { schema: Type.String() },
          'application/json': {
            schema: Type.Object({ payload: Type.Record(Type.String(), Type.Unknown()) }),
          },
        },
      },
      304: Type.Null({ description: 'The caller has the current document' }),
      404: problem,
      503: problem,
    },
  }
}

const discoveryOperation = {
  operationId: 'listDatex3Publications',
  summary: 'Providers of DATEX II v3 and the publications of each',
  description: 'Every provider that has data for a publication, with absolute URLs.',
  tags: ['Traffic'],
  response: {
    200: Type.Record(Type.String(), Type.Record(Type.String(), Type.String({ format: 'uri' })), {
      description: 'Provider → publication → absolute URL',
    }),
    503: problem,
  },
}

type Deps = {
  /** The exits whose publications these routes serve. */
  readonly kept: readonly KeptExit[]
  readonly source: Pick<StationSource, 'isPartial'>
  /** Without a trailing slash. */
  readonly publicUrl: string
  /** Providers of publications that other routes serve, by the name of the publication. */
  readonly others: Readonly<Record<string, () => Promise<readonly string[]>>>
}

/** Routes for publications of stations as DATEX II v3, and for the list of all publications. */
export const datex3Routes =
  (deps: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(discoveryRoute(deps), { prefix: root })
    for (const publication of publications) {
      const kept = deps.kept.find(({ exit }) => exit.name === `datex3/${publication.name}`)
      const path = `${root}/${publication.name}/:provider`
      const options = { schema: operationsOf(publication), exposeHeadRoute: true }
      app.get(path, options, async (request, reply) => {
        const address = `${root}/${publication.name}/${request.params.provider}`
        const documents = (await kept?.get())?.documents ?? new Map<string, unknown>()
        const key = toKey(address, encodingOf(request))
        if (!documents.has(key))
          throw unknownProvider(publication.name, request.params.provider, documents)
        const wanted = { kept, path: key, hint: '' }
        return answerDocument({ request, reply }, deps.source, wanted)
      })
    }
  }

/** Returns XML unless `Accept` prefers JSON. All other types yield XML, too. */
function encodingOf({ headers }: FastifyRequest): 'xml' | 'json' {
  const preferred = preferredType(headers.accept, [
    'application/xml',
    'text/xml',
    'application/json',
  ])
  return preferred === 'application/json' ? 'json' : 'xml'
}

function unknownProvider(
  publication: string,
  slug: string,
  documents: ReadonlyMap<string, unknown>,
): AppError {
  const providers = providersIn(documents)
  const known = providers.length === 0 ? 'No provider has any' : `${providers.join(', ')} have some`
  return new AppError('HUB-RTE-003', `No provider "${slug}" has data for ${publication}.`, {
    hint: `${known} now. ${root}/ lists their URLs.`,
  })
}

/**
 * Serves the list in a plugin of its own, so that its URL works with and without a trailing slash.
 */
const discoveryRoute =
  ({ kept, publicUrl, others }: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    const options = { schema: discoveryOperation, exposeHeadRoute: true }
    app.get('/', options, async (request, reply) => {
      const lists = await Promise.all([
        ...kept.map(async ({ exit, get }) => ({
          name: exit.name.replace(/^datex3\//, ''),
          slugs: providersIn((await get()).documents),
        })),
        ...Object.entries(others).map(async ([name, list]) => ({ name, slugs: await list() })),
      ])
      const feeds: Record<string, Record<string, string>> = {}
      for (const { name, slugs } of lists) {
        for (const slug of slugs) {
          const address = `${publicUrl}${root}/${name}/${encodeURIComponent(slug)}`
          feeds[slug] = { ...feeds[slug], [name]: address }
        }
      }
      const body = JSON.stringify(Object.fromEntries(Object.entries(feeds).sort(byName)))
      const { principal } = request
      const audience = isPublic(principal) || principal.kind === 'verified' ? 'public' : 'private'
      const caching = {
        'cache-control': `${audience}, max-age=20`,
        vary: 'Accept-Encoding, Authorization',
      }
      const run = () => ({ body, etag: weakEtag([body]), type: jsonType })
      return answerRead({ request, reply }, { caching, run })
    })
    return Promise.resolve()
  }

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1
}

/** Creates the exits that publish stations as DATEX II v3. */
export function datex3Exits(region: Region): readonly Exit[] {
  const exits = [...energyExits(region), ...parkingExits(region)]
  return exits.map((exit) => ({ ...exit, offers: offersOf(exit) }))
}

/**
 * Returns offers with the URL of the list of providers, because every provider has a URL of its
 * own.
 */
function offersOf({ concerned }: Exit): readonly Offer[] {
  return concerned.types.flatMap((type) =>
    ['application/xml', 'application/json'].map((mediaType) => ({
      dataset: `timeseries/${type}`,
      name: 'DATEX II',
      version: '3.7',
      path: `${root}/`,
      mediaType,
    })),
  )
}
