import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors/index.ts'
import { answerRead, isPublic, jsonType, preferredType, weakEtag } from '../../http/index.ts'
import type { StationSource } from '../../timeseries/index.ts'
import { answerDocument } from '../answer-document.ts'
import type { KeptExit } from '../keep-exit.ts'
import { providersIn, root, toKey } from './publish.ts'
import { discoveryOperation, operationsOf, publications } from './schemas.ts'

type Deps = {
  /** Those whose publications are answered here. */
  readonly kept: readonly KeptExit[]
  readonly source: Pick<StationSource, 'isPartial'>
  /** Without a slash at the end. */
  readonly publicUrl: string
  /** Providers of publications that other routes answer, by the name of the publication. */
  readonly others: Readonly<Record<string, () => Promise<readonly string[]>>>
}

/** Publications of stations as DATEX II v3, and the list of every publication. */
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

/** XML unless `Accept` prefers JSON; whatever else it names is answered with XML, too. */
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
    hint: `${known} now; ${root}/ lists the addresses.`,
  })
}

/** As a plugin of its own, so that the address works with and without its last slash. */
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
