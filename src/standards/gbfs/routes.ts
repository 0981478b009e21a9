import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { atOnce } from '../../async/index.ts'
import { suggest } from '../../lang/index.ts'
import type { StationSource } from '../../timeseries/index.ts'
import { answerDocument } from '../answer-document.ts'
import type { KeptExit } from '../keep-exit.ts'
import { defaultTtl, inEnvelope, manifestPath, versionsOf } from './documents.ts'
import { earliest } from './kinds.ts'
import type { System } from './load-systems.ts'
import {
  discoveryOperation,
  fileOperation,
  formerDiscoveryOperation,
  formerFileOperation,
  manifestOperation,
} from './schemas.ts'

type Deps = {
  readonly source: Pick<StationSource, 'isPartial'>
  readonly systems: readonly System[]
  /** The exits of the systems, by their identifiers. */
  readonly kept: ReadonlyMap<string, KeptExit>
  readonly publicUrl: string
}

/** The files of GBFS. */
export const gbfsRoutes =
  ({ source, systems, kept, publicUrl }: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    const manifest = manifestOf(systems, publicUrl)
    const answer = (request: FastifyRequest, reply: FastifyReply, exit: KeptExit | undefined) => {
      const [path = ''] = request.url.split('?')
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

/** Follows from the files alone, so it is always there. */
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
