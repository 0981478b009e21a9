import { LRUCache } from 'lru-cache'
import { Check } from 'typebox/value'
import type { Visibility } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import { readQuery } from '../../http/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { planList } from '../list/plan.ts'
import { listOperation } from '../schemas.ts'
import { shareRunning } from '../../async/index.ts'
import { tableOf } from '../table.ts'
import { mobilityAt } from './mobility.ts'
import type { Mobility } from './mobility.ts'

/** How many records of a dataset a caller sees (decision D60, reference content.md 7.17). */
export type RecordCount = {
  readonly open: number
  readonly closed: number
  /** Of the open ones, those that callers without a token see with members left out. */
  readonly reduced: number
}

/** Where a metadata record says that its dataset is. */
export type Place = { readonly path: readonly string[]; readonly filter: readonly string[] }

export type Deps = {
  readonly database: Queryable
  readonly entities: readonly Entity[]
  readonly mobility: Mobility
  readonly now?: () => Date
}

/** Exact counts, remembered for as long as their datasets have not changed (decision D22). */
type RecordCounts = {
  /** The version of each dataset, in one statement. */
  readonly versions: () => Promise<Versions>
  /** @returns undefined for what is no dataset of this hub */
  readonly of: (place: Place, asked: Asked) => Promise<RecordCount | undefined>
}

type Versions = ReadonlyMap<string, string>

type Asked = { readonly versions: Versions; readonly visibility: Visibility }

const remembered = 1000

export function createRecordCounts(deps: Deps): RecordCounts {
  // Callers with the same rights share one object, so what was counted for one serves the next.
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

/** What is known to callers with the same rights. All who wait for a count wait for the same one. */
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
    select dataset, dataset_version(dataset)
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

type Parameters = ReturnType<typeof listOperation>['querystring']

/** What lists of an entity take; made once, for it is compiled once. */
function parametersOf(entity: Entity): Parameters {
  const known = parameters.get(entity)
  if (known !== undefined) return known
  const schema = listOperation(entity, 'strict').querystring
  parameters.set(entity, schema)
  return schema
}

const parameters = new WeakMap<Entity, Parameters>()

type Wanted = {
  readonly entity: Entity
  readonly filter: readonly string[]
  readonly visibility: Visibility
}

/** A filter that lists do not take has no count: whoever wrote it may have meant another service. */
async function countEntity(deps: Deps, wanted: Wanted): Promise<RecordCount | undefined> {
  const where = await conditionOf(deps, wanted)
  const { entity } = wanted
  if (where === undefined) return undefined
  const members = [...entity.closedMembers]
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
  { entity, filter, visibility }: Wanted,
): Promise<Sql | undefined> {
  try {
    const written = Object.fromEntries(new URLSearchParams(filter.join('&')))
    const schema = parametersOf(entity)
    const { values, ignored } = readQuery(schema, written)
    if (ignored.length > 0 || !Check(schema, values)) return undefined
    const caller = { visibility, isAnonymous: false, isStrict: false }
    const clock = now === undefined ? {} : { now }
    const { where, nearby } = await planList(entity, values, { ...caller, ...clock, database })
    return nearby === undefined ? where : undefined
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return undefined
    throw error
  }
}
