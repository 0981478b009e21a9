import { Versions, inSlices } from '../async/index.ts'
import type { Every } from '../async/index.ts'
import { byAddress, toSlug } from '../timeseries/index.ts'
import type { MobilityEvent } from '../timeseries/index.ts'
import { toHistory } from './changes.ts'
import type { TitleEnd } from './comments.ts'
import { version2 } from '../datex/index.ts'
import { toFeedDocument } from './feed-document.ts'
import type { FeedDocument } from './feed-document.ts'
import { publicationSteps } from './publication.ts'

type EventSource = {
  /** Changes whenever an event is written, on any node. */
  readonly version: () => Promise<string>
  /**
   * Returns another value whenever anonymous callers may see something else. Called on every
   * request.
   */
  readonly rights?: () => unknown
  /** Loads every origin that has events which anonymous callers may see. */
  readonly loadOrigins: () => Promise<readonly string[]>
  /**
   * Loads the newest state of each series of an origin, with `version` and `firstRecorded`; older
   * states are harmless. The feed is public, so these are only events that anonymous callers may
   * see, never closed ones.
   */
  readonly loadEvents: (origin: string) => Promise<readonly MobilityEvent[]>
  /**
   * Reports whether only events that were recorded at this very time were written around it, or
   * since.
   */
  readonly isSettled: (origin: string, time: Date) => Promise<boolean>
}

type FeedOptions = {
  readonly source: EventSource
  /**
   * Country code of the region, which DATEX II must define. `language` is the main language of its
   * feeds.
   */
  readonly country: string
  readonly language: string
  readonly titleEnd: TitleEnd
  /** Milliseconds since any start, never decreasing. The default is the clock of this process. */
  readonly ticks?: () => number
  /**
   * Called with every build, for the log and metrics (decision D55: what is left out is counted).
   */
  readonly onBuild?: (build: Build) => void
}

export type Build = {
  readonly provider: string
  readonly document: FeedDocument
  readonly milliseconds: number
  /** Other origins with the same slug, and the number of their series, which are left out. */
  readonly others: { readonly origins: readonly string[]; readonly situations: number }
}

function assertCountry(country: string): void {
  const known = version2.enumerations.get('CountryEnum') ?? new Set()
  if (known.has(country)) return
  throw new Error(
    `HUB_TRAFFIC_COUNTRY: DATEX II knows no country "${country}" (allowed: ${[...known].join(', ')}).`,
  )
}

type Moment = { readonly version: string; readonly now: Date }

type Kept<Value> = {
  readonly version: string
  readonly value: Promise<Value>
  /** The value, once it is available. */
  ready?: Value
}

/**
 * The current document of each provider, in memory. It is built on the first request, and again
 * when an event was written or a start or end has passed. Concurrent callers wait for the same
 * build. `keepCurrent` triggers builds before callers need them. A failed build is not kept, so the
 * next request tries again.
 */
export class TrafficFeed {
  readonly #options: FeedOptions
  readonly #versions: Versions
  /** The last version, combined with the rights at that time, because every request needs it. */
  #joined: { readonly written: string; readonly rights: unknown; readonly both: string } | undefined
  /**
   * Incremented when rights change: what a rule opened must leave the feed immediately when the
   * rule is withdrawn.
   */
  #revision = 0
  readonly #documents = new Map<string, Kept<FeedDocument>>()
  #origins: Kept<ReadonlyMap<string, readonly string[]>> | undefined

  /** @throws Error for a country that DATEX II does not define */
  constructor(options: FeedOptions) {
    assertCountry(options.country)
    this.#options = options
    const { source, ticks = () => performance.now() } = options
    this.#versions = new Versions(source.version, ticks)
  }

  /** Returns the slugs of all providers that have events, in alphabetical order. */
  async providers(): Promise<readonly string[]> {
    return [...(await this.#originsBySlug(await this.#version())).keys()]
  }

  /** Returns the document of a provider as of `now`, or undefined if no provider has this slug. */
  async document(provider: string, now: Date): Promise<FeedDocument | undefined> {
    const version = await this.#version()
    const origins = (await this.#originsBySlug(version)).get(provider)
    return origins === undefined ? undefined : await this.#current(origins, { version, now })
  }

  /**
   * Returns the document of a provider without waiting, if it is in memory and known to be current.
   */
  ready(provider: string, now: Date): FeedDocument | undefined {
    const written = this.#versions.fresh()
    if (written === undefined) return undefined
    const version = this.#withRights(written)
    if (this.#origins?.version !== version) return undefined
    const kept = this.#documents.get(this.#origins.ready?.get(provider)?.[0] ?? '')
    if (kept?.ready === undefined || kept.version !== version) return undefined
    return isOver(kept.ready, now) ? undefined : kept.ready
  }

  /**
   * Builds every document that is missing or outdated, and drops those of providers that no longer
   * exist.
   */
  async refresh(now: Date): Promise<void> {
    const origins = await this.#originsBySlug(await this.#version())
    const known = new Set([...origins.values()].map(([origin]) => origin))
    for (const origin of this.#documents.keys())
      if (!known.has(origin)) this.#documents.delete(origin)
    for (const provider of origins.keys()) await this.document(provider, now)
  }

  /**
   * Returns when the first of the documents changes by itself, or undefined if only new events
   * change them.
   */
  nextBoundary(now: Date): Date | undefined {
    const boundaries = [...this.#documents.values()]
      .flatMap(({ ready }) => ready?.nextBoundary?.getTime() ?? [])
      .filter((boundary) => boundary > now.getTime())
    return boundaries.length === 0 ? undefined : new Date(Math.min(...boundaries))
  }

  async #version(): Promise<string> {
    return this.#withRights(this.#versions.fresh() ?? (await this.#versions.ask()))
  }

  #withRights(written: string): string {
    const rights = this.#options.source.rights?.()
    const known = this.#joined
    if (known?.written === written && known.rights === rights) return known.both
    if (known?.rights !== rights) this.#revision += 1
    const both = `${written} ${String(this.#revision)}`
    this.#joined = { written, rights, both }
    return both
  }

  async #current(origins: readonly string[], at: Moment): Promise<FeedDocument> {
    const [origin = '', ...others] = origins
    const kept = this.#documents.get(origin)
    const previous = kept?.ready ?? (await kept?.value.catch(() => undefined))
    if (kept !== undefined && previous !== undefined && kept.version === at.version) {
      if (!isOver(previous, at.now)) return previous
    }
    // Another caller may have started a build while this one checked the old document.
    if (this.#documents.get(origin) !== kept) return await this.#current(origins, at)
    const build = keep(at.version, this.#build({ origin, others }, at.now, previous))
    this.#documents.set(origin, build)
    return await build.value
  }

  async #build(
    { origin, others }: { readonly origin: string; readonly others: readonly string[] },
    now: Date,
    previous?: FeedDocument,
  ): Promise<FeedDocument> {
    const { country, language, titleEnd, onBuild, source } = this.#options
    const events = await source.loadEvents(origin)
    const started = performance.now()
    const supplier = { country, language, titleEnd, nationalIdentifier: origin }
    const steps = publicationSteps(events, { supplier, now, ...(previous && { previous }) })
    const publication = await inSlices(steps)
    const milliseconds = performance.now() - started
    const isSettled =
      previous === undefined && (await source.isSettled(origin, publication.publicationTime))
    const history = toHistory(publication, { previous, supplier, now, isSettled })
    const document = toFeedDocument(publication, { previous, supplier, history })
    let situations = 0
    for (const other of others) situations += (await source.loadEvents(other)).length
    const leftOut = { origins: others, situations }
    onBuild?.({ provider: toSlug(origin), document, milliseconds, others: leftOut })
    return document
  }

  async #originsBySlug(version: string): Promise<ReadonlyMap<string, readonly string[]>> {
    if (this.#origins?.version !== version) this.#origins = keep(version, this.#loadOrigins())
    const kept = this.#origins
    return await kept.value.catch((error: unknown) => {
      if (this.#origins === kept) this.#origins = undefined
      throw error
    })
  }

  async #loadOrigins(): Promise<ReadonlyMap<string, readonly string[]>> {
    // If several origins share a slug, the first in alphabetical order has it, on every node.
    return byAddress([...(await this.#options.source.loadOrigins())].sort())
  }
}

function keep<Value>(version: string, value: Promise<Value>): Kept<Value> {
  const kept: Kept<Value> = { version, value }
  value.then(
    (ready) => {
      kept.ready = ready
    },
    // The caller that awaits `value` gets the error.
    () => undefined,
  )
  return kept
}

function isOver({ nextBoundary }: FeedDocument, now: Date): boolean {
  return nextBoundary !== undefined && nextBoundary <= now
}

type Deps = {
  readonly every: Every
  readonly now: () => Date
  /** Called if the documents could not be built. The next run tries again. */
  readonly onError: (error: unknown) => void
}

/** Milliseconds after which an event that any node has written is noticed. */
const pollInterval = 2000
/** Limit on a timer in ms. Timers support at most 24 days; an hour is far enough ahead. */
const maxWait = 3_600_000

/**
 * Builds the documents before anybody has to wait for them: soon after an event was written, and on
 * time when one starts, ends or leaves. The returned function stops this.
 */
export function keepCurrent(feed: TrafficFeed, { every, now, onError }: Deps): () => void {
  let isStopped = false
  let cancelTimer = nothing
  const refresh = async () => {
    await feed.refresh(now())
    cancelTimer()
    const present = now()
    const boundary = feed.nextBoundary(present)
    if (boundary === undefined || isStopped) return
    const wait = Math.min(boundary.getTime() - present.getTime(), maxWait)
    cancelTimer = once(every, wait, run)
  }
  const run = () =>
    refresh().catch((error: unknown) => {
      if (!isStopped) onError(error)
    })
  const stopPolling = every(pollInterval, run)
  void run()
  return () => {
    isStopped = true
    stopPolling()
    cancelTimer()
  }
}

function once(every: Every, milliseconds: number, work: () => unknown): () => void {
  const cancel = every(milliseconds, () => {
    cancel()
    work()
  })
  return cancel
}

function nothing(): void {
  // No timer is set yet.
}
