import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Visibility } from '../access/index.ts'
import { reasonFor, sendText, reportWithheld } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import { problem } from '../lang/schemas.ts'
import { all, any, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { Entity } from './entity.ts'
import {
  placeKinds,
  placeSpellings,
  placesSchema,
  readPlaces,
  skiAreaKind,
} from './filters/every-list.ts'
import type { PlaceKind } from './filters/every-list.ts'
import { listSchema, rejected, toItems } from './filters/values.ts'
import { isVisible, tableOf } from './table.ts'
import type { Caller } from './list/plan.ts'
import { envelopeOf, reportPageSize, toEnvelope } from './pages.ts'
import { itemParameters } from './parameters.ts'
import type { ReadDeps } from './read-deps.ts'
import { callerOf, withheldRecords } from './reading.ts'

/** A kind of place, and the entity whose records are places of this kind. */
type Block = { readonly prefix: string; readonly entity: Entity }

type LocationQuery = {
  /** In the order in which they are listed. */
  readonly blocks: readonly Block[]
  readonly language: string | undefined
  /** Whether to include places that are not offered in searches. */
  readonly showsAll: boolean
  /**
   * Restricts the list to these places and the places within them, such as `regABC`. Undefined for
   * all places.
   */
  readonly within: readonly string[] | undefined
  /** The entity of meta regions, which consist of other places. */
  readonly metaRegion: Entity
  readonly visibility: Visibility
}

/**
 * A place as JSON text with `typ`, `id` and `name`. `typ` and `id` together are an item of
 * `locfilter`.
 */
type Location = string

/**
 * Loads the places that a caller may see, block by block, each sorted by name and identifier.
 * `name` is the title in the requested language, or null if there is none. Without a requested
 * language, it is an object with the titles in all languages.
 */
async function loadLocations(
  database: Queryable,
  wanted: LocationQuery,
): Promise<readonly Location[]> {
  const within = wanted.within && (await loadWithin(database, wanted.within, wanted))
  const blocks = wanted.blocks.map((block, index) => blockOf(block, { ...wanted, within, index }))
  const rows = await database.texts(sql`
    select json_build_object('typ', typ, 'name', name, 'id', id)
    from (${blocks.reduce((above, below) => sql`${above} union all ${below}`)}) as places
    order by block, lower(sorted) collate "C", id`)
  return rows.flatMap(([text]) => text ?? [])
}

type Within = {
  readonly own: readonly string[]
  /** Kind and identifier of the places whose contents are requested. */
  readonly around: readonly string[]
}

type BlockQuery = Omit<LocationQuery, 'within'> & {
  readonly within: Within | undefined
  readonly index: number
}

/**
 * SQL for the titles by language, from all entries of `Detail` that have one; null if there is
 * none.
 */
const titles = sql`(
  select jsonb_object_agg(key, value -> 'Title')
  from jsonb_each(case jsonb_typeof(data -> 'Detail') when 'object' then data -> 'Detail' end)
  where jsonb_typeof(value -> 'Title') = 'string')`

function blockOf({ prefix, entity }: Block, asked: BlockQuery): Sql {
  const { language, visibility, within, index } = asked
  const name =
    language === undefined ? sql`coalesce(${titles}, '{}')` : sql`${titles} -> ${language}::text`
  const sorted =
    language === undefined
      ? sql`coalesce(shortname, ${titles} ->> 'en', ${titles} ->> 'de', ${titles} ->> 'it')`
      : sql`${titles} ->> ${language}::text`
  return sql`
    select ${index}::integer as block, ${prefix}::text as typ, id, ${name} as name, ${sorted} as sorted
    from ${tableOf(entity)}
    where ${all([
      isVisible(entity, visibility),
      sql`active is not false`,
      // A place needs a name.
      sql`${titles} is not null`,
      ...(asked.showsAll ? [] : [sql`content_flag(data -> 'VisibleInSearch')`]),
      ...(within === undefined ? [] : [liesWithin(prefix, within)]),
    ])}`
}

/** Fields in which ski areas list the places that they extend into. There may be several. */
const lists = [
  { prefix: 'reg', member: sql`data -> 'RegionIds'` },
  { prefix: 'tvs', member: sql`data -> 'TourismvereinIds'` },
  { prefix: 'mun', member: sql`data -> 'MunicipalityIds'` },
  { prefix: 'fra', member: sql`data -> 'DistrictIds'` },
]

function liesWithin(prefix: string, { own, around }: Within): Sql {
  const isOwn = sql`${prefix}::text || id = any(${own}::text[])`
  if (prefix === 'mta') return isOwn
  const listed = prefix === 'ska' ? lists : []
  return any([
    isOwn,
    sql`places && ${around}::text[]`,
    ...listed.map(
      (list) =>
        sql`content_strings(${list.member}) && ${identifiersOf(list.prefix, around)}::text[]`,
    ),
  ])
}

function identifiersOf(prefix: string, places: readonly string[]): readonly string[] {
  return places.flatMap((place) => (place.startsWith(prefix) ? [place.slice(prefix.length)] : []))
}

/**
 * Expands meta regions. Each stands for itself, its regions, and its tourism associations with the
 * places within those.
 */
async function loadWithin(
  database: Queryable,
  written: readonly string[],
  { metaRegion, visibility }: LocationQuery,
): Promise<Within> {
  const places = written.flatMap(placeSpellings)
  const ids = identifiersOf('mta', places)
  if (ids.length === 0) return { own: places, around: places }
  const named = sql`
    ${tableOf(metaRegion)} where id = any(${ids}::text[]) and ${isVisible(metaRegion, visibility)}`
  const rows = await database.query<{ place: string }>(sql`
    select 'tvs' || unnest(content_strings(data -> 'TourismvereinIds')) as place from ${named}
    union all
    select 'reg' || unnest(content_strings(data -> 'RegionIds')) from ${named}`)
  const members = rows.map(({ place }) => place)
  const associations = members.filter((place) => place.startsWith('tvs'))
  return { own: [...places, ...members], around: [...places, ...associations] }
}

/** `/v1/Location`: the places that `locfilter` accepts (interface 4.5, 4.7). */
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

/** @throws AppError HUB-QRY-001 for an unknown kind, or none */
function kindsOf(written: readonly string[] | undefined): readonly PlaceKind[] {
  if (written === undefined) return placeKinds
  const wanted = toItems(written).map((kind) => kind.toLowerCase())
  const expected = placeKinds.map(({ prefix }) => prefix)
  const wrong = wanted.find((kind) => !expected.some((prefix) => prefix === kind))
  if (wrong === undefined && wanted.length > 0) {
    return placeKinds.filter(({ prefix }) => wanted.includes(prefix))
  }
  const detail = `has ${JSON.stringify(wrong ?? '')}, which is not a kind of place`
  throw rejected({ parameter: 'type', detail, expected })
}

type Query = Static<typeof skiAreaOperation.querystring> & { readonly showall?: boolean }

function createAnswer(deps: ReadDeps, metaRegion: Entity) {
  return async ({ request, reply }: Exchange, blocks: readonly Block[], query: Query) => {
    const caller = callerOf(request, deps.visibilityOf)
    reportPageSize(reply, query, caller)
    const { locfilter, language, showall = true } = query
    const locations = await loadLocations(deps.database, {
      ...{ blocks, language, metaRegion, visibility: caller.visibility },
      showsAll: showall,
      within: locfilter === undefined ? undefined : readPlaces(locfilter),
    })
    const { pagenumber, pagesize } = query
    const text =
      pagenumber === undefined
        ? listOf(locations)
        : pageOf(deps, request, { locations, pagenumber, pagesize })
    reportWithheld(reply, withheldOf(blocks, caller), reasonFor(request.principal))
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

/**
 * Prints a page in the envelope of lists (interface 2.1). Without a page size, all places are on
 * one page.
 */
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

const location = Type.Object({
  typ: Type.String({
    description: `Kind: ${placeKinds.map(({ prefix, entity }) => `${prefix} ${entity}`).join(', ')}, ${skiAreaKind.prefix} ${skiAreaKind.entity}`,
  }),
  name: Type.Union([Type.String(), Type.Null(), Type.Record(Type.String(), Type.String())], {
    description: 'Title in the requested language; without one, an object with all languages',
  }),
  id: Type.String({ description: 'Appended to typ, it is an item of locfilter' }),
})

const largest = 2_147_483_647

const parameters = {
  language: itemParameters.properties.language,
  locfilter: Type.Optional(
    Type.With(placesSchema, {
      description: `Only these places and those in them. ${String(Reflect.get(placesSchema, 'description'))}`,
    }),
  ),
  pagenumber: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: largest,
      description: 'Page, in the envelope of lists; default: everything, as an array',
    }),
  ),
  pagesize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Places per page; default: everything on one page',
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
    // Not for ski areas: their records do not state whether searches offer them.
    showall: Type.Boolean({
      default: true,
      description: 'All active places; false: only those offered in searches (VisibleInSearch)',
    }),
    type: Type.Optional(
      listSchema(`Kinds, any of them: ${placeKinds.map(({ prefix }) => prefix).join(', ')}`),
    ),
  }),
  response: responses,
}

const skiAreaOperation = {
  operationId: 'listLocationSkiarea',
  summary: 'Ski areas, as places',
  description: 'Ski areas, in the form of the places of /v1/Location.',
  tags: ['Content'],
  querystring: Type.Object(parameters),
  response: responses,
}
