import type { MobilityEvent } from '../timeseries/index.ts'
import { toFeedDocument } from './feed-document.ts'
import type { FeedDocument } from './feed-document.ts'
import { toPublication } from './publication.ts'

/** Where the feed takes its events from. */
export type EventSource = {
  /**
   * Changes whenever an event is written, or what anonymous callers may see. It is asked for on every
   * request, so it should cost little.
   */
  readonly version: () => Promise<string>
  /** Every origin that has events which anonymous callers may see. */
  readonly loadOrigins: () => Promise<readonly string[]>
  /**
   * The newest state of each series of an origin, with `version` and `firstRecorded`; older states
   * do no harm. The feed is public: only what anonymous callers may see, never closed events.
   */
  readonly loadEvents: (origin: string) => Promise<readonly MobilityEvent[]>
}

export type FeedOptions = {
  readonly source: EventSource
  /** Of the region: a country code that DATEX II knows, and the main language of its feeds. */
  readonly country: string
  readonly language: string
  /** Told of every build, for log and metrics (decision D55: what is left out is counted). */
  readonly onBuild?: (build: Build) => void
}

export type Build = {
  readonly provider: string
  readonly document: FeedDocument
  readonly milliseconds: number
}

type Moment = { readonly version: string; readonly now: Date }

type Kept<Value> = { readonly version: string; readonly value: Promise<Value> }

/**
 * The current document of each provider, in memory. It is built when first asked for, and again when
 * an event was written or a start or end has passed; callers that come meanwhile wait for the one
 * build. A failed build is not kept, so the next request tries again.
 */
export class TrafficFeed {
  readonly #options: FeedOptions
  readonly #documents = new Map<string, Kept<FeedDocument>>()
  #origins: Kept<ReadonlyMap<string, string>> | undefined

  constructor(options: FeedOptions) {
    this.#options = options
  }

  /** The slugs of all providers that have events, in alphabetical order. */
  async providers(): Promise<readonly string[]> {
    return [...(await this.#originsBySlug(await this.#options.source.version())).keys()]
  }

  /** The document of a provider as of `now`; undefined when no provider has this slug. */
  async document(provider: string, now: Date): Promise<FeedDocument | undefined> {
    const version = await this.#options.source.version()
    const origin = (await this.#originsBySlug(version)).get(provider)
    return origin === undefined ? undefined : await this.#current(origin, { version, now })
  }

  async #current(origin: string, at: Moment): Promise<FeedDocument> {
    const kept = this.#documents.get(origin)
    const previous = await kept?.value.catch(() => undefined)
    if (kept !== undefined && previous !== undefined && kept.version === at.version) {
      if (!isOver(previous, at.now)) return previous
    }
    // Another caller may have begun a build while this one looked at the old document.
    if (this.#documents.get(origin) !== kept) return await this.#current(origin, at)
    const value = this.#build(origin, at.now, previous)
    this.#documents.set(origin, { version: at.version, value })
    return await value
  }

  async #build(origin: string, now: Date, previous?: FeedDocument): Promise<FeedDocument> {
    const events = await this.#options.source.loadEvents(origin)
    const started = performance.now()
    const { country, language, onBuild } = this.#options
    const publication = toPublication(events, {
      supplier: { country, language, nationalIdentifier: origin },
      now,
      ...(previous && { notBefore: previous.publicationTime }),
    })
    const document = toFeedDocument(publication)
    const milliseconds = performance.now() - started
    onBuild?.({ provider: toSlug(origin), document, milliseconds })
    return document
  }

  async #originsBySlug(version: string): Promise<ReadonlyMap<string, string>> {
    if (this.#origins?.version !== version) {
      this.#origins = { version, value: this.#loadOrigins() }
    }
    const { value } = this.#origins
    return await value.catch((error: unknown) => {
      this.#origins = undefined
      throw error
    })
  }

  async #loadOrigins(): Promise<ReadonlyMap<string, string>> {
    const origins = await this.#options.source.loadOrigins()
    // Should two origins share a slug, the last in alphabetical order keeps it, on every node.
    return new Map([...origins].sort().map((origin) => [toSlug(origin), origin]))
  }
}

/** `PROVINCE_BZ` → `province-bz` (decision D54). */
export function toSlug(origin: string): string {
  return origin.toLowerCase().replaceAll('_', '-')
}

function isOver({ nextBoundary }: FeedDocument, now: Date): boolean {
  return nextBoundary !== undefined && nextBoundary <= now
}
