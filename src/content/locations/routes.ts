import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { reasonFor, sendText, tellIgnored, tellWithheld } from '../../http/index.ts'
import type { Exchange } from '../../http/index.ts'
import type { Entity } from '../entity.ts'
import { placesSchema, readPlaces } from '../filters/location-filter.ts'
import { placeKinds, skiAreaKind } from '../filters/place-kinds.ts'
import type { PlaceKind } from '../filters/place-kinds.ts'
import { rejected } from '../filters/reject.ts'
import { listSchema, toItems } from '../filters/values.ts'
import type { Caller } from '../list/plan.ts'
import { envelopeOf, toEnvelope } from '../page-envelope.ts'
import { itemParameters } from '../parameters.ts'
import type { ReadDeps } from '../read-deps.ts'
import { callerOf } from '../reading.ts'
import { withheldRecords } from '../withheld.ts'
import { loadLocations } from './load-locations.ts'
import type { Block, Location } from './load-locations.ts'

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
    tellWithheld(reply, withheldOf(blocks, caller), reasonFor(request.principal))
    return sendText({ request, reply }, text)
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

const problem = Type.Ref('ProblemDetails')

const location = Type.Object({
  typ: Type.String({
    description: `Kind: ${placeKinds.map(({ prefix, entity }) => `${prefix} ${entity}`).join(', ')}, ${skiAreaKind.prefix} ${skiAreaKind.entity}`,
  }),
  name: Type.Union([Type.String(), Type.Null(), Type.Record(Type.String(), Type.String())], {
    description: 'Title in the language that was asked for; without one, an object of all',
  }),
  id: Type.String({ description: 'Behind typ it is an item of locfilter' }),
})

const largest = 2_147_483_647

const parameters = {
  language: itemParameters.properties.language,
  locfilter: Type.Optional(
    Type.With(placesSchema, {
      description: `Only these places and what lies in them. ${String(Reflect.get(placesSchema, 'description'))}`,
    }),
  ),
  showall: Type.Boolean({
    default: true,
    description: 'All active places; false: only those that searches offer (VisibleInSearch)',
  }),
  pagenumber: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: largest,
      description: 'Page, in the envelope of lists; absent: everything, as an array',
    }),
  ),
  pagesize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Places per page; absent: everything on one page',
    }),
  ),
  referer: itemParameters.properties.referer,
}

const responses = {
  200: Type.Union([Type.Array(location), envelopeOf(Type.Array(location))]),
  400: problem,
  503: problem,
}

/** `GET /v1/Location` (interface 4.7, reference content.md 6.7). */
const locationOperation = {
  operationId: 'listLocation',
  summary: 'Places by kind: the items of locfilter',
  description: 'Regions, tourism associations, municipalities and districts, by their names.',
  tags: ['Content'],
  querystring: Type.Object({
    ...parameters,
    type: Type.Optional(
      listSchema(`Kinds, any of them: ${placeKinds.map(({ prefix }) => prefix).join(', ')}`),
    ),
  }),
  response: responses,
}

/** `GET /v1/Location/Skiarea`. */
const skiAreaOperation = {
  operationId: 'listLocationSkiarea',
  summary: 'Ski areas, as places',
  description: 'Ski areas, as /v1/Location has its places.',
  tags: ['Content'],
  querystring: Type.Object(parameters),
  response: responses,
}
