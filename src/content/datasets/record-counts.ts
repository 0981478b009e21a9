import { LRUCache } from 'lru-cache'
import { createHash } from 'node:crypto'
import type { Visibility } from '../../access/index.ts'
import { shareRunning } from '../../async/index.ts'
import { AppError } from '../../errors/index.ts'
import { textOf, textsOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { versionOfDataset } from '../../storage/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Entity, Rewrite } from '../entity.ts'
import type { FieldPath, Representation } from '../representation.ts'
import { planWritten } from '../list/plan-written.ts'
import type { ListPlan } from '../list/plan.ts'
import { tableOf } from '../table.ts'
import { isOwnDataset } from '../write/to-stored.ts'
import { mobilityAt, noMobility } from './descriptions.ts'
import type { Mobility } from './descriptions.ts'

/** Number of records of a dataset that a caller sees (decision D60, reference content.md 7.17). */
type RecordCount = {
  readonly open: number
  readonly closed: number
  /** Number of open records that callers without a token see with fields left out. */
  readonly reduced: number
}

/** Path and filter of a dataset, as its metadata record states them. */
type Place = { readonly path: readonly string[]; readonly filter: readonly string[] }

type Deps = {
  readonly database: Queryable
  readonly entities: readonly Entity[]
  readonly mobility: Mobility
  readonly now?: () => Date
}

/** Exact counts, cached until their dataset changes (decision D22). */
type RecordCounts = {
  /** Loads the version of each dataset, in one statement. */
  readonly versions: () => Promise<Versions>
  /**
   * @returns undefined for anything that is not a dataset of this hub, or has a filter that is not
   *   valid
   */
  readonly of: (place: Place, asked: CountQuery) => Promise<RecordCount | undefined>
}

type Versions = ReadonlyMap<string, string>

type CountQuery = { readonly versions: Versions; readonly visibility: Visibility }

const remembered = 1000

function createRecordCounts(deps: Deps): RecordCounts {
  // Callers with the same rights share one object, so that a count for one also serves the next.
  const byRights = new WeakMap<Visibility, Known>()
  return {
    versions: () => loadVersions(deps),
    of: async (place, { versions, visibility }) => {
      const counted = datasetAt(deps, place)
      if (counted === undefined) return undefined
      const known = byRights.get(visibility) ?? nothingKnown()
      byRights.set(visibility, known)
      const key = JSON.stringify([place, versions.get(counted.dataset)])
      const count = () => known.share(key, () => counted.count(visibility))
      const found = known.counts.get(key) ?? (await count())
      if (found !== undefined) known.counts.set(key, found)
      return found
    },
  }
}

type Known = ReturnType<typeof nothingKnown>

/** Returns an empty cache for callers with the same rights. Concurrent requests share one query. */
function nothingKnown() {
  return {
    counts: new LRUCache<string, RecordCount>({ max: remembered }),
    share: shareRunning<RecordCount | undefined>(),
  }
}

async function loadVersions({ database, entities, mobility }: Deps): Promise<Versions> {
  const names = [
    ...entities.map(({ name }) => name),
    ...(await mobility.load(database)).map(mobility.versionedAs),
  ]
  const rows = await database.texts(sql`
    select dataset, ${versionOfDataset(sql`dataset`)}
    from unnest(${[...new Set(names)]}::text[]) as dataset`)
  return new Map(rows.map(([dataset, version]) => [dataset ?? '', version ?? '']))
}

type Counted = {
  readonly dataset: string
  readonly count: (visibility: Visibility) => Promise<RecordCount | undefined>
}

function datasetAt(deps: Deps, { path, filter }: Place): Counted | undefined {
  const [version, ...rest] = path
  const address = rest.join('/').toLowerCase()
  const entity = deps.entities.find((one) => one.path.toLowerCase() === address)
  if (version === 'v1' && entity !== undefined) {
    const count = (visibility: Visibility) => countEntity(deps, { entity, filter, visibility })
    return { dataset: entity.name, count }
  }
  const mobility = filter.length > 0 ? undefined : mobilityAt(path)
  if (mobility === undefined) return undefined
  const count = async (visibility: Visibility) => ({
    ...(await deps.mobility.count(deps.database, mobility, visibility)),
    reduced: 0,
  })
  return { dataset: deps.mobility.versionedAs(mobility), count }
}

type CountRequest = {
  readonly entity: Entity
  readonly filter: readonly string[]
  readonly visibility: Visibility
}

/**
 * Counts the records of an entity. Returns undefined for a filter that lists do not accept: it may
 * be meant for another service.
 */
async function countEntity(deps: Deps, wanted: CountRequest): Promise<RecordCount | undefined> {
  const where = await conditionOf(deps, wanted)
  const { entity } = wanted
  if (where === undefined) return undefined
  const members = [...entity.closedFields]
  const isReduced = members.length === 0 ? sql`false` : sql`data ?| ${members}::text[]`
  const [row] = await deps.database.texts(sql`
    select count(*) filter (where not closed), count(*) filter (where closed),
      count(*) filter (where not closed and ${isReduced})
    from ${tableOf(entity)}
    where ${where}`)
  const [open, closed, reduced] = row ?? []
  return { open: Number(open ?? 0), closed: Number(closed ?? 0), reduced: Number(reduced ?? 0) }
}

async function conditionOf(
  { database, now }: Deps,
  { entity, filter, visibility }: CountRequest,
): Promise<Sql | undefined> {
  try {
    const written = Object.fromEntries(new URLSearchParams(filter.join('&')))
    const caller = { visibility, isAnonymous: false, isStrict: false }
    const clock = now === undefined ? {} : { now }
    const plan = await planWritten(entity, written, { ...caller, ...clock, database })
    return plan?.nearby === undefined ? plan?.where : undefined
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return undefined
    throw error
  }
}

/** Prepares the generated fields of a response, or returns undefined if it shows none of them. */
export type Maker = (
  representation: Representation,
  visibility: Visibility,
) => Promise<Shown | undefined>

type MakerDeps = { readonly publicUrl: string; readonly mobility?: Mobility }

/**
 * Returns the generator of the fields that are computed when records of an entity are read, or
 * undefined if the entity has no such fields.
 */
export function makerOf(
  entity: Entity,
  { mobility = noMobility, ...deps }: Omit<Deps, 'mobility'> & MakerDeps,
): Maker | undefined {
  if (entity.computedFields.length === 0) return undefined
  const prepare = createShownMetaData({ ...deps, mobility, adds: entity.computedFields })
  return async ({ fields }, visibility) => {
    const shown = (name: string) =>
      fields.length === 0 || fields.some((path) => leadsTo(path, name))
    if (!entity.computedFields.some(shown)) return undefined
    return prepare({ counts: shown('RecordCount'), visibility })
  }
}

function leadsTo({ steps: [first] }: FieldPath, name: string): boolean {
  return first?.kind !== 'member' || first.name === name
}

type Plan = { readonly representation: Representation }

/**
 * Leaves the selection of fields to the hub if there are generated fields, because fields inside
 * them can be selected only after they are generated.
 */
export function readStored<Any extends Plan>(plan: Any, made: Shown | undefined): Any {
  if (made === undefined) return plan
  return { ...plan, representation: { ...plan.representation, selectedBy: 'hub' } }
}

/** Returns the plan of a list that also shows generated fields. */
export function withMade(plan: ListPlan, made: Shown): ListPlan {
  const { rewrite, basis } = made
  return {
    ...readStored(plan, made),
    rewrites: [...plan.rewrites, rewrite],
    basis: [plan.basis, basis].join(' '),
  }
}

/** Generated fields of metadata records (decision D32, reference content.md 7.17). */
type Shown = {
  readonly rewrite: Rewrite
  /** Identifies the state of the computed fields, for entity tags. */
  readonly basis: string
}

type CountAccess = {
  /** Whether the response shows counts at all. */
  readonly counts: boolean
  readonly visibility: Visibility
}

/** Prepares the URLs and counts of datasets, which are computed when a metadata record is read. */
function createShownMetaData(
  deps: Deps & { readonly publicUrl: string } & Pick<Rewrite, 'adds'>,
): (asked: CountAccess) => Promise<Shown> {
  const counts = createRecordCounts(deps)
  const toShown = toShownAt(deps)
  return async ({ counts: wantsCounts, visibility }) => {
    const versions = wantsCounts ? await counts.versions() : new Map<string, string>()
    const load = async (records: readonly Members[]) => {
      const known = new Map<string, RecordCount>()
      for (const record of records) {
        const place = placeOf(record)
        const isCounted = wantsCounts && place !== undefined && isOwnDataset(record, deps.publicUrl)
        const count = isCounted ? await counts.of(place, { versions, visibility }) : undefined
        if (count !== undefined) known.set(String(record['Id']), count)
      }
      return (record: Members) => [toShown(record, known.get(String(record['Id'])))]
    }
    const basis = digest([[...versions], wantsCounts ? visibility : null])
    return { rewrite: { adds: deps.adds, toShown: (record) => [record], load }, basis }
  }
}

/** Returns a function that adds the URLs, and the count if known, to a metadata record. */
function toShownAt({
  entities,
  publicUrl,
}: Pick<Deps, 'entities'> & { readonly publicUrl: string }): (
  record: Members,
  count: RecordCount | undefined,
) => Members {
  const operations = new Map(
    entities.map(({ path, name }) => [`v1/${path}`.toLowerCase(), `/list${name}`]),
  )
  return (record, count) => {
    const place = placeOf(record)
    if (!isOwnDataset(record, publicUrl) || place === undefined) {
      return { ...record, ...missingAddress(record, place) }
    }
    const operation = operations.get(place.path.join('/').toLowerCase()) ?? '?tag=Time%20series'
    return {
      ...record,
      BaseUrl: publicUrl,
      ApiUrl: apiUrl(publicUrl, place),
      SwaggerUrl: `${publicUrl}/docs/api${operation}`,
      ...(count === undefined ? {} : { RecordCount: count }),
    }
  }
}

function digest(versions: unknown): string {
  return createHash('sha256').update(JSON.stringify(versions)).digest('base64url')
}

function placeOf(record: Members): Place | undefined {
  const path = textsOf(record['PathParam'])
  return path.length === 0 ? undefined : { path, filter: textsOf(record['ApiFilter']) }
}

/** Returns the URL of a dataset on another server, if its record does not state it. */
function missingAddress(record: Members, place: Place | undefined): Members {
  const base = textOf(record['BaseUrl'])
  if (base === undefined || place === undefined || textOf(record['ApiUrl']) !== undefined) return {}
  return { ApiUrl: apiUrl(base.replace(/\/+$/, ''), place) }
}

function apiUrl(base: string, { path, filter }: Place): string {
  const query = filter.map(encoded).join('&')
  return `${base}/${path.map(encoded).join('/')}${query === '' ? '' : `?${query}`}`
}

/**
 * Percent-encodes a text, except for characters that URLs may contain, so that texts such as
 * `flat,node` and `source=lts` stay readable.
 */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/%(?:2C|3D|28|29|2A|3A)/g, decodeURIComponent)
}
