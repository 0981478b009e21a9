import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import {
  isUnchanged,
  jsonType,
  reasonFor,
  setCaching,
  tellIgnored,
  tellWithheld,
  weakEtag,
} from '../../http/index.ts'
import type { Entity } from '../entity.ts'
import { readPlaces } from '../filters/location-filter.ts'
import { placeKinds, skiAreaKind } from '../filters/place-kinds.ts'
import type { PlaceKind } from '../filters/place-kinds.ts'
import { rejected } from '../filters/reject.ts'
import { toItems } from '../filters/values.ts'
import type { Caller } from '../list/plan.ts'
import { toEnvelope } from '../page-envelope.ts'
import type { ReadDeps } from '../read-deps.ts'
import { callerOf } from '../reading.ts'
import { withheldRecords } from '../withheld.ts'
import { loadLocations } from './load-locations.ts'
import type { Block, Location } from './load-locations.ts'
import { locationOperation, skiAreaOperation } from './operations.ts'

/** `/v1/Location`: the places that `locfilter` takes (interface 4.5, 4.7). */
export const locationRoutes =
  (deps: ReadDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const metaRegion = entityOf(deps, 'MetaRegion')
    const [skiArea] = blocksOf(deps, [skiAreaKind])
    if (metaRegion === undefined || skiArea === undefined) return Promise.resolve()
    const answer = createAnswer(deps, metaRegion)
    app.get('/v1/Location', { schema: locationOperation }, async (request, reply) =>
      answer({ request, reply }, blocksOf(deps, kindsOf(request.query.type)), request.query),
    )
    app.get('/v1/Location/Skiarea', { schema: skiAreaOperation }, async (request, reply) =>
      answer({ request, reply }, [skiArea], request.query),
    )
    return Promise.resolve()
  }

function entityOf({ entities }: ReadDeps, name: string): Entity | undefined {
  return entities.find((entity) => entity.name === name)
}

function blocksOf(deps: ReadDeps, kinds: readonly PlaceKind[]): readonly Block[] {
  return kinds.flatMap(({ prefix, entity: name }) => {
    const entity = entityOf(deps, name)
    return entity === undefined ? [] : [{ prefix, entity }]
  })
}

/** @throws AppError HUB-QRY-001 for a kind that there is not */
function kindsOf(written: readonly string[] | undefined): readonly PlaceKind[] {
  if (written === undefined) return placeKinds
  const wanted = toItems(written).map((kind) => kind.toLowerCase())
  const expected = placeKinds.map(({ prefix }) => prefix)
  const wrong = wanted.find((kind) => !expected.some((prefix) => prefix === kind))
  if (wrong === undefined && wanted.length > 0) {
    return placeKinds.filter(({ prefix }) => wanted.includes(prefix))
  }
  const detail = `has ${JSON.stringify(wrong ?? '')}, which is no kind of place`
  throw rejected({ parameter: 'type', detail, expected })
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }
type Query = Static<typeof skiAreaOperation.querystring>

function createAnswer(deps: ReadDeps, metaRegion: Entity) {
  return async ({ request, reply }: Exchange, blocks: readonly Block[], query: Query) => {
    const caller = callerOf(request, deps.visibilityOf)
    const { locfilter, language, showall } = query
    const locations = await loadLocations(deps.database, {
      ...{ blocks, language, metaRegion, visibility: caller.visibility },
      showsAll: showall,
      within: locfilter === undefined ? undefined : readPlaces(locfilter),
    })
    const { pagenumber, pagesize } = query
    const isLost = pagenumber === undefined && pagesize !== undefined
    tellIgnored(reply, isLost ? ['pagesize'] : [])
    const text =
      pagenumber === undefined
        ? listOf(locations)
        : pageOf(deps, request, { locations, pagenumber, pagesize })
    setCaching(reply, request.principal)
    tellWithheld(reply, withheldOf(blocks, caller), reasonFor(request.principal))
    if (isUnchanged(request, reply, weakEtag([text]))) return reply.send()
    return reply.type(jsonType).send(text)
  }
}

function withheldOf(blocks: readonly Block[], caller: Caller) {
  return [...new Set(blocks.flatMap(({ entity }) => withheldRecords(entity, caller)))]
}

const listOf = (locations: readonly Location[]) => `[${locations.join(',')}]`

type Paging = {
  readonly locations: readonly Location[]
  readonly pagenumber: number
  readonly pagesize: number | undefined
}

/** The page in the envelope of lists (interface 2.1); without a size everything is one page. */
function pageOf(
  { publicUrl }: ReadDeps,
  { url }: FastifyRequest,
  { locations, pagenumber, pagesize }: Paging,
): string {
  const total = locations.length
  const pageSize = pagesize ?? Math.max(total, 1)
  const page = locations.slice((pagenumber - 1) * pageSize, pagenumber * pageSize)
  const envelope = toEnvelope({ publicUrl, url, total, pageNumber: pagenumber, pageSize })
  return `${JSON.stringify(envelope).slice(0, -1)},"Items":${listOf(page)}}`
}
