import { Versions, inSlices } from '../async/index.ts'
import { weakEtag } from '../http/index.ts'
import type {
  CurrentStation,
  CurrentStations,
  StationSelection,
  StationSource,
} from '../timeseries/index.ts'

/** A station, or a part of it, that is left out because documents must always be valid. */
export type LeftOut = {
  readonly type: string
  readonly code: string
  /**
   * What is missing or impossible, such as `position`. It is the label of a metric, so there must
   * be few different ones.
   */
  readonly lacks: string
  /** The reason in words, for the operator. */
  readonly reason: string
}

/** A text that is ready to be sent. */
export type Document = {
  readonly body: string
  readonly type: string
  readonly etag: string
  /** Time at which the content last changed. */
  readonly changed: Date
  /** Digest of the content, without the time. */
  readonly content: string
}

export function toDocument({ body, type, changed }: Pick<Document, 'body' | 'type' | 'changed'>) {
  const etag = weakEtag([body])
  return { body, type, changed, etag, content: etag }
}

/** Time at which an exit is built, and its documents of the previous build. */
export type Moment = { readonly now: Date; readonly before: ReadonlyMap<string, Document> }

type Printing = Pick<Document, 'content' | 'type'> & {
  /** Time at which the newest part of the content was stored. */
  readonly newest: Date
  readonly print: (changed: Date) => Generator<undefined, string>
}

/**
 * Returns the next document for a key. The previous one remains as long as the content is the same
 * and no part of it was stored later. The time of a document depends only on its content, so it
 * does not reveal changes that the reader may not see. If something is no longer shown, nothing in
 * the content is newer, so the time is now (decision D55).
 */
export function* nextDocument(
  { now, before }: Moment,
  key: string,
  { content, type, newest, print }: Printing,
): Generator<undefined, Document> {
  const last = before.get(key)
  const isSame = last?.content === content
  if (isSame && newest <= last.changed) return last
  const isNewer = last === undefined || newest > last.changed
  const changed = isNewer ? newest : new Date(Math.max(now.getTime(), last.changed.getTime() + 1))
  const body = yield* print(changed)
  return { body, type, content, changed, etag: weakEtag([content, changed.toISOString()]) }
}

/**
 * Returns when the newest visible part of the stations was stored: a description, or a value that
 * is shown.
 */
export function newestOf(stations: Iterable<CurrentStation>): Date {
  let newest = 0
  for (const { described, values } of stations) {
    newest = Math.max(newest, described.getTime())
    for (const name in values) newest = Math.max(newest, values[name]?.written.getTime() ?? 0)
  }
  return new Date(newest)
}

export type Built = {
  /** Documents by their paths below the root, such as `/gbfs/bolzano/3.0/station_status.json`. */
  readonly documents: ReadonlyMap<string, Document>
  /** Number of published stations. */
  readonly published: number
  readonly leftOut: readonly LeftOut[]
}

/** A standard in which a dataset of the catalogue is available. */
export type Offer = {
  /** Identifier of the dataset, such as `timeseries/BikesharingStation`. */
  readonly dataset: string
  readonly name: string
  readonly version: string
  /** Path below the root. */
  readonly path: string
  readonly mediaType: string
}

/** Stations in the format of a standard, at paths of their own. */
export type Exit = {
  /** Name in metrics and `/health/standards`, such as `gbfs/bolzano`. */
  readonly name: string
  readonly concerned: StationSelection
  /** Builds all documents. Yields between pieces of work. */
  readonly build: (current: CurrentStations, moment: Moment) => Generator<undefined, Built>
  readonly offers: readonly Offer[]
}

export type KeptExit = {
  readonly exit: Exit
  /** Returns the current documents. Callers that arrive during a build share its result. */
  readonly get: () => Promise<Built>
}

type Deps = {
  readonly source: StationSource
  readonly onBuild: (exit: Exit, built: Built) => void
  readonly now: () => Date
  /**
   * Monotonic clock in milliseconds, with any starting point; by default the clock of this process.
   */
  readonly ticks?: () => number
}

type Last = {
  readonly version: string
  readonly rights: unknown
  readonly built: Built
  /** Time in ticks until which this build is served even if stations have changed since. */
  readonly restsUntil: number
}

/**
 * A build that takes longer than `short` milliseconds is followed by a rest of `rests` times its
 * duration, up to `maxRest`.
 */
const short = 50
const rests = 4
/** Maximum rest in milliseconds, so that pushed data is published within a second. */
const maxRest = 500

/**
 * Builds an exit when it is requested and its stations have changed since the last build. Callers
 * that arrive during a build wait for it. A failed build is not kept, so the next request tries
 * again.
 */
export function keepExit(exit: Exit, { source, onBuild, now, ticks = clock }: Deps): KeptExit {
  const { concerned } = exit
  const versions = new Versions(() => source.version(concerned), ticks)
  let last: Last | undefined
  let running: Promise<Built> | undefined
  const current = (version: string): Built | undefined => {
    if (last?.rights !== source.rights()) return undefined
    return last.version === version || ticks() < last.restsUntil ? last.built : undefined
  }
  const build = async (version: string): Promise<Built> => {
    const rights = source.rights()
    const began = ticks()
    const stations = await source.load(concerned)
    const before = last?.built.documents ?? new Map<string, Document>()
    const built = await inSlices(exit.build(stations, { now: now(), before }))
    const took = ticks() - began
    const rest = took > short ? Math.min(rests * took, maxRest) : 0
    last = { version, rights, built, restsUntil: ticks() + rest }
    onBuild(exit, built)
    return built
  }
  const get = async (): Promise<Built> => {
    const version = versions.fresh() ?? (await versions.ask())
    const known = current(version)
    if (known !== undefined) return known
    running ??= build(version).finally(() => {
      running = undefined
    })
    await running
    // Rights may have changed during the build.
    return current(version) ?? get()
  }
  return { exit, get }
}

const clock = () => performance.now()
