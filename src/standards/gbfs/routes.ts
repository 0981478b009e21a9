import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { atOnce } from '../../async/index.ts'
import { suggest } from '../../lang/index.ts'
import type { StationSource } from '../../timeseries/index.ts'
import { answerDocument } from '../answer-document.ts'
import type { KeptExit } from '../keep-exit.ts'
import { defaultTtl, inEnvelope, manifestPath, versionsOf } from './documents.ts'
import { earliest } from './kinds.ts'
import type { System } from './load-systems.ts'
import { problem } from '../../lang/schemas.ts'

const system = Type.String({
  examples: ['demo-bikes'],
  maxLength: 100,
  description: 'system_id',
})

const file = Type.String({
  examples: ['station_status.json'],
  maxLength: 100,
  description: 'One of the files that gbfs.json lists',
})

const feed = (version: string, lastUpdated: object) => ({
  200: Type.Object(
    {
      last_updated: Type.Unsafe<unknown>(lastUpdated),
      ttl: Type.Integer({ description: 'Seconds' }),
      version: Type.Literal(version),
      data: Type.Record(Type.String(), Type.Unknown()),
    },
    { description: `A file of GBFS ${version}` },
  ),
  304: Type.Null({ description: 'The caller has the current file' }),
  404: problem,
  503: problem,
})

const ofVersion3 = feed('3.0', { type: 'string', format: 'date-time' })
const ofVersion2 = feed('2.3', { type: 'integer', description: 'Seconds since 1970' })
const tags = ['Sharing']

const description =
  'Public, and the same for every caller. What cannot be published is left out, see /health/standards.'

const discovery = 'The only URL that a client needs: it links to all others.'

const manifestOperation = {
  operationId: 'getGbfsManifest',
  summary: 'Sharing systems as GBFS, with the start of each version',
  description: 'Depends only on the files of the systems (HUB_GBFS), not on the stations.',
  tags,
  response: ofVersion3,
}

const discoveryOperation = {
  operationId: 'getGbfsDiscovery',
  summary: 'Files of a sharing system, GBFS 3.0',
  description: discovery,
  tags,
  params: Type.Object({ system }),
  response: ofVersion3,
}

const fileOperation = {
  operationId: 'getGbfsFile',
  summary: 'One file of a sharing system, GBFS 3.0',
  description,
  tags,
  params: Type.Object({ system, file }),
  response: ofVersion3,
}

const formerDiscoveryOperation = {
  operationId: 'getGbfsDiscovery2',
  summary: 'Files of a sharing system in each language, GBFS 2.3',
  description: discovery,
  tags,
  params: Type.Object({ system }),
  response: ofVersion2,
}

const formerFileOperation = {
  operationId: 'getGbfsFile2',
  summary: 'One file of a sharing system in one language, GBFS 2.3',
  description,
  tags,
  params: Type.Object({
    system,
    language: Type.String({
      examples: ['en'],
      maxLength: 6,
      description: 'One of those that gbfs.json lists',
    }),
    file,
  }),
  response: ofVersion2,
}

type Deps = {
  readonly source: Pick<StationSource, 'isPartial'>
  readonly systems: readonly System[]
  /** The exits of the systems, by `system_id`. */
  readonly kept: ReadonlyMap<string, KeptExit>
  readonly publicUrl: string
}

/** Routes for the files of GBFS. */
export const gbfsRoutes =
  ({ source, systems, kept, publicUrl }: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    const manifest = manifestOf(systems, publicUrl)
    const answer = (request: FastifyRequest, reply: FastifyReply, exit: KeptExit | undefined) => {
      const [written = ''] = request.url.split('?')
      // The path as the router matches it, which accepts a trailing slash (decision D3).
      const path = decodeURIComponent(written).replace(/\/$/, '')
      const [, , system = ''] = path.split('/')
      const hint = exit === undefined ? systemHint(system, [...kept.keys()]) : fileHint(system)
      return answerDocument({ request, reply }, source, { kept: exit, path, hint })
    }
    const common = { exposeHeadRoute: true }
    app.get(manifestPath, { ...common, schema: manifestOperation }, (request, reply) =>
      answer(request, reply, manifest),
    )
    app.get(
      '/gbfs/:system/gbfs.json',
      { ...common, schema: discoveryOperation },
      (request, reply) => answer(request, reply, kept.get(request.params.system)),
    )
    app.get('/gbfs/:system/3.0/:file', { ...common, schema: fileOperation }, (request, reply) =>
      answer(request, reply, kept.get(request.params.system)),
    )
    app.get(
      '/gbfs/:system/2.3/gbfs.json',
      { ...common, schema: formerDiscoveryOperation },
      (request, reply) => answer(request, reply, kept.get(request.params.system)),
    )
    app.get(
      '/gbfs/:system/2.3/:language/:file',
      { ...common, schema: formerFileOperation },
      (request, reply) => answer(request, reply, kept.get(request.params.system)),
    )
    return Promise.resolve()
  }

function systemHint(system: string, known: readonly string[]): string {
  if (known.length === 0)
    return 'This hub has no systems: HUB_GBFS names the folder of their files.'
  return `There is no system ${JSON.stringify(system)}; ${suggest(system, known, `known: ${known.join(', ')}`)} ${manifestPath} lists all of them.`
}

function fileHint(system: string): string {
  return `/gbfs/${system}/gbfs.json and /gbfs/${system}/2.3/gbfs.json list the files of the system.`
}

/** Creates the manifest. It depends only on the systems' files, so it is always available. */
function manifestOf(systems: readonly System[], publicUrl: string): KeptExit {
  const changed = new Date(
    Math.max(earliest.getTime(), ...systems.map(({ stated }) => stated.getTime())),
  )
  const datasets = systems.map(({ definition: { system_id } }) => ({
    system_id,
    versions: versionsOf(system_id, publicUrl),
  }))
  const form = { version: '3.0', language: '' } as const
  const wanted = { path: manifestPath, form, changed, ttl: defaultTtl, data: { datasets } }
  const document = atOnce(inEnvelope({ now: changed, before: new Map() }, wanted))
  const documents = new Map([[manifestPath, document]])
  const built = { documents, published: 0, leftOut: [] }
  const exit = {
    name: 'gbfs',
    concerned: { types: [], dataTypes: [] },
    offers: [],
    *build() {
      yield
      return built
    },
  }
  return { exit, get: () => Promise.resolve(built) }
}
