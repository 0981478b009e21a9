import { LRUCache } from 'lru-cache'
import { anonymous } from '../access/index.ts'
import type { Principal, Visibility } from '../access/index.ts'
import { inSlices, joinRunning } from '../async/index.ts'
import type { Every } from '../async/index.ts'
import { factReader, numbering } from './facts.ts'
import type { Described, Drawable, Values } from './facts.ts'
import {
  describeTimeseries,
  describeTraffic,
  linksTo,
  report,
  together,
  traces,
} from './describe.ts'
import type { DefaultLicences, DescriptionInput } from './describe.ts'
import type { Dataset, Extent, Miniature, Standard } from './schemas.ts'
import { cellsOf, drawChanges, drawMap, extentOf } from './miniature.ts'
import { linkedData } from './dcat/index.ts'
import type { LinkedRequest, Publication } from './dcat/index.ts'
import { listFormatsOf, needsToken, titleField, wordsOf } from '../content/index.ts'
import type { Entity, Profile, Summary } from '../content/index.ts'
import { weakEtag } from '../http/index.ts'
import type { Queryable } from '../storage/index.ts'

export type CatalogueDeps = {
  readonly database: Queryable
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  /** Name of the hub (HUB_TITLE). */
  readonly title: string
  readonly profile?: Profile
  readonly licences: DefaultLicences
  readonly publication: Publication
  /** Standards in which a dataset is available, besides those of the catalogue itself. */
  readonly standardsOf?: (dataset: Described) => readonly Standard[]
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly now: () => Date
  /**
   * Called when a catalogue could not be renewed. The previous one, if there is one, stays in use
   * for a while.
   */
  readonly onError: (error: unknown) => void
}

/** Catalogues in memory, one for each kind of rights. */
export type KeptCatalogue = {
  /** Returns the catalogue that a caller may see. The first request for new rights has to wait. */
  readonly of: (principal: Principal) => Promise<Built>
  /**
   * Renews the catalogues that were requested recently, and the one of callers without a token.
   * Failures are reported, and do not keep the other catalogues from being renewed.
   */
  readonly renew: () => Promise<void>
}

/** Interval at which catalogues are renewed, in ms, even without requests. */
const lookedAfter = 60_000
/** A catalogue is dropped after this many ms without a request. */
const maxIdleTime = 600_000
/** Maximum number of kinds of rights whose catalogues are kept. */
const maxKinds = 30

type Kept = {
  readonly principal: Principal
  readonly visibility: Visibility
  readonly built: Renewed<Built>
  asked: number
}

export function keepCatalogue(deps: CatalogueDeps): KeptCatalogue {
  const { visibilityOf, now, onError } = deps
  const time = () => now().getTime()
  const build = builder(deps)
  const kept = new LRUCache<string, Kept>({ max: maxKinds })
  const numbers = numbering()
  const find = (principal: Principal): Kept => {
    const visibility = visibilityOf(principal)
    const key = `${String(numbers(visibility))} ${principal.kind}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const built = keepRenewed({ make: () => build(principal), now, onError })
    const made = { principal, visibility, built, asked: time() }
    kept.set(key, made)
    return made
  }
  return {
    of: (principal) => {
      const found = find(principal)
      found.asked = time()
      return found.built.get()
    },
    renew: async () => {
      find(anonymous)
      for (const [key, { principal, visibility, built, asked }] of kept.entries()) {
        const isIdle = principal.kind === 'verified' && time() - asked > maxIdleTime
        // After a rule has changed, the same caller has other rights and thus another catalogue.
        if (isIdle || visibilityOf(principal) !== visibility) kept.delete(key)
        else await built.renew().catch(onError)
      }
    },
  }
}

/** Returns a builder of catalogues. The open data is read once for all of them. */
function builder(deps: CatalogueDeps): (principal: Principal) => Promise<Built> {
  const { visibilityOf, now, entities, publicUrl, title, profile = 'strict', licences } = deps
  const facts = factReader(deps)
  const open = shareLoads({ age: maxAge / 2, now, load: facts.open })
  return async (principal) => {
    const hasToken = principal.kind === 'verified'
    const given = { publicUrl, title, entities, profile, licences, hasToken }
    const [visibility, anyone] = [visibilityOf(principal), visibilityOf(anonymous)]
    const shared = await open()
    const guest = await facts.closed(anyone)
    const closed = visibility === anyone ? guest : await facts.closed(visibility)
    return inSlices(steps({ ...given, open: shared, closed, guest }, deps))
  }
}

/** Renews the catalogues now and every minute. @returns a function that stops it */
export function renewRegularly(
  catalogue: KeptCatalogue,
  { every, onError }: Pick<CatalogueDeps, 'onError'> & { readonly every: Every },
): () => void {
  const run = joinRunning(() => catalogue.renew().catch(onError))
  void run()
  return every(lookedAfter, run)
}

/** A cached value that is renewed as it is requested. */
type Renewed<Value> = {
  /**
   * Returns the cached value if it is recent enough or if the next one takes long to make;
   * otherwise waits for the next one.
   */
  readonly get: () => Promise<Value>
  /** Makes the next value if it is due. @throws the error of the very first attempt */
  readonly renew: () => Promise<void>
}

type Renewing<Value> = {
  readonly make: () => Promise<Value>
  readonly now: () => Date
  /** Called when the next value could not be made and the previous one is served. */
  readonly onError: (error: unknown) => void
}

/** Maximum age of a requested value, in ms, unless making one takes long. */
const maxAge = 5_000
/** Limits the work: making values takes at most 1 part in 20 of the time. */
const share = 20
/**
 * A request waits for a new value if the last one took at most this many ms to make; otherwise it
 * gets the last one.
 */
const shortWait = 150
/** The last value is no longer used once attempts have failed for this many ms. */
const maxFailingTime = 600_000

type Last<Value> = { readonly value: Value; readonly took: number }

/** Keeps a value current. Only one is made at a time, and requests in the meantime share it. */
export function keepRenewed<Value>({ make, now, onError }: Renewing<Value>): Renewed<Value> {
  let last: Last<Value> | undefined
  let underWay: Promise<Value> | undefined
  let failingSince: number | undefined
  let rest = { since: 0, wait: 0 }
  const time = () => now().getTime()
  const makeNext = async () => {
    const began = time()
    try {
      const value = await make()
      last = { value, took: Math.max(0, time() - began) }
      failingSince = undefined
      return value
    } catch (error) {
      failingSince ??= time()
      if (last !== undefined) onError(error)
      throw error
    } finally {
      rest = { since: began, wait: Math.max(maxAge, share * (time() - began)) }
      underWay = undefined
    }
  }
  const next = () => (underWay ??= makeNext())
  const isDue = () => Math.abs(time() - rest.since) >= rest.wait
  const isFailing = () => failingSince !== undefined && time() - failingSince >= maxFailingTime
  return {
    get: async () => {
      if (last === undefined || isFailing()) return next()
      const { value, took } = last
      if (!isDue()) return value
      const following = next().catch(() => value)
      return took <= shortWait ? following : value
    },
    renew: async () => {
      if (last === undefined) await next()
      // The error has already been reported.
      else if (isDue()) await next().catch(() => undefined)
    },
  }
}

type Loading<Value> = {
  /** How long a result is reused after it was loaded, in ms. */
  readonly age: number
  readonly now: () => Date
  readonly load: () => Promise<Value>
}

/** Shares one load among all requests while it runs or shortly after. Failures are not cached. */
export function shareLoads<Value>({ age, now, load }: Loading<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; until: number } | undefined
  const time = () => now().getTime()
  return () => {
    // A clock that was set back must not extend the life of a result.
    const isKept = kept !== undefined && time() < kept.until && kept.until - time() <= age
    const isPending = kept?.until === Infinity
    if (kept !== undefined && (isKept || isPending)) return kept.value
    const made = { value: load(), until: Infinity }
    kept = made
    made.value.then(
      () => (made.until = time() + age),
      () => (made.until = 0),
    )
    return made.value
  }
}

/** Catalogue as seen with a certain set of rights, ready to be sent. */
export type Built = {
  readonly datasets: ReadonlyMap<string, Dataset>
  readonly values: ReadonlyMap<string, Values>
  /** Objects that titles of tags were read from. They are replaced when a tag changes. */
  readonly tags: readonly unknown[]
  /** Area shown by the miniatures. */
  readonly extent: Extent | null
  readonly body: string
  readonly etag: string
  /** Returns the catalogue as linked data for other portals, made on first request. */
  readonly linked: (request: LinkedRequest) => Promise<Sendable>
}

type Sendable = { readonly body: string; readonly etag: string }

const toSendable = (body: string): Sendable => ({ body, etag: weakEtag([body]) })

type BuildDeps = Pick<CatalogueDeps, 'now' | 'publication' | 'standardsOf'>

function* steps(describing: DescriptionInput, deps: BuildDeps): Generator<undefined, Built> {
  const { publication, standardsOf } = deps
  const now = deps.now()
  const drawables = [
    ...describing.entities.map((entity) => describe(entity, describing)),
    ...describeTimeseries(describing),
    ...describeTraffic(describing),
  ]
  yield
  // Computed from open data only, so that closed data does not shift the maps of other callers.
  const extent = yield* wholeExtent(drawables)
  const datasets = new Map<string, Dataset>()
  for (const { described, traces } of drawables) {
    const cells = cellsOf(traces.cells)
    const map = extent === null ? null : drawMap(cells, extent)
    const miniature: Miniature | null = map ?? drawChanges(traces.months, now)
    datasets.set(described.id, {
      ...described,
      standards: [...described.standards, ...(standardsOf?.(described) ?? [])],
      registered: registeredAt(described, describing),
      extent: extentOf(cells) ?? null,
      miniature,
    })
    yield
  }
  const text = JSON.stringify({ extent, datasets: [...datasets.values()] })
  const values = new Map(
    drawables.map(({ described, traces }) => [described.id, traces.values] as const),
  )
  const { publicUrl, title, open, closed } = describing
  const tags = [open, closed].map(({ content }) => content.get('Tag'))
  const all = [...datasets.values()]
  const linked = linkedData({ publicUrl, title, publication, extent, datasets: all })
  return {
    ...{ datasets, values, tags, extent, ...toSendable(text) },
    linked: async (request) => toSendable(await linked(request)),
  }
}

/**
 * Returns when the dataset was registered. The registered path is that of the list; for events,
 * that of all their versions.
 */
function registeredAt(
  { links }: Described,
  { publicUrl, open }: Pick<DescriptionInput, 'publicUrl' | 'open'>,
): string | null {
  const list = links['versions'] ?? links['list'] ?? ''
  return open.registered.get(decodeURIComponent(list.slice(publicUrl.length + 1))) ?? null
}

function* wholeExtent(drawables: readonly Drawable[]): Generator<undefined, Extent | null> {
  const cells = new Map<string, number>()
  for (const { traces } of drawables) {
    for (const [cell, count] of traces.openCells) cells.set(cell, count)
    yield
  }
  return extentOf(cellsOf(cells)) ?? null
}

function describe(entity: Entity, describing: DescriptionInput): Drawable {
  const { publicUrl, profile, hasToken, open, closed, guest } = describing
  const of = ({ content }: Pick<typeof open, 'content'>) => sumOf(content.get(entity.name))
  const takesToken = needsToken(entity, profile)
  const isHidden = takesToken && !hasToken
  const nothing = { open: undefined, closed: undefined, guest: undefined }
  const parts = isHidden ? nothing : { open: of(open), closed: of(closed), guest: of(guest) }
  const reported = report(parts, describing)
  const access =
    entity.closedFields.length > 0 && reported.access === 'open' ? 'partly' : reported.access
  const id = `content/${entity.name}`
  const path = `${publicUrl}/v1/${entity.path}`
  const described: Described = {
    id,
    service: 'content',
    type: entity.name,
    recordType: entity.type,
    ...wordsOf(entity.naming, entity.name),
    titleField: titleField(entity),
    ...reported,
    count: isHidden ? null : reported.count,
    access: takesToken ? 'closed' : access,
    freshness: null,
    dataTypes: [],
    formats: listFormatsOf(entity).map(({ name, mediaTypes: [mediaType] }) => ({
      name,
      mediaType,
    })),
    standards: [],
    operations: [`list${entity.name}`, `get${entity.name}`],
    links: {
      ...linksTo({ publicUrl, id, page: id }),
      list: path,
      record: `${path}/{id}`,
      search: `${path}Search`,
    },
  }
  const drawn = traces(parts)
  return { described, traces: takesToken ? { ...drawn, openCells: new Map() } : drawn }
}

function sumOf(parts: ReadonlyMap<string, Summary> | undefined): Summary | undefined {
  return [...(parts?.values() ?? [])].reduce<Summary | undefined>(
    (sum, part) =>
      sum === undefined ? part : together({ open: sum, closed: part, guest: undefined }),
    undefined,
  )
}
