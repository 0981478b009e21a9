import { Versions, inSlices } from '../async/index.ts'
import { weakEtag } from '../http/index.ts'
import type {
  Concerned,
  CurrentStation,
  CurrentStations,
  StationSource,
} from '../timeseries/index.ts'

/** A station, or something of it, that could not be published: an answer is never invalid. */
export type LeftOut = {
  readonly type: string
  readonly code: string
  /** What is missing or impossible, such as `position`: a label of a metric, so one of few. */
  readonly lacks: string
  /** The same in words for the operator. */
  readonly reason: string
}

/** A text that is ready to be sent. */
export type Document = {
  readonly body: string
  readonly type: string
  readonly etag: string
  /** When what it shows last changed. */
  readonly changed: Date
  /** A digest of what it shows, without the time. */
  readonly content: string
}

export function toDocument({ body, type, changed }: Pick<Document, 'body' | 'type' | 'changed'>) {
  const etag = weakEtag([body])
  return { body, type, changed, etag, content: etag }
}

/** When an exit is built, and what it consisted of before. */
export type Moment = { readonly now: Date; readonly before: ReadonlyMap<string, Document> }

type Printing = Pick<Document, 'content' | 'type'> & {
  /** When the newest of what it shows was stored. */
  readonly newest: Date
  readonly print: (changed: Date) => Generator<undefined, string>
}

/**
 * The document of an address after the one before, which stays while it shows the same. Its time follows from
 * what it shows alone: nobody can tell from it when something changed that they may not see. Where something
 * is not shown any more, nothing in it is newer, so now is the time (decision D55).
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

/** When the newest of what everybody sees of stations was stored: what they are, or a value that is shown. */
export function newestOf(stations: Iterable<CurrentStation>): Date {
  let newest = 0
  for (const { described, values } of stations) {
    newest = Math.max(newest, described.getTime())
    for (const name in values) newest = Math.max(newest, values[name]?.written.getTime() ?? 0)
  }
  return new Date(newest)
}

export type Built = {
  /** By their addresses below the root, such as `/gbfs/bolzano/3.0/station_status.json`. */
  readonly documents: ReadonlyMap<string, Document>
  /** How many stations are published. */
  readonly published: number
  readonly leftOut: readonly LeftOut[]
}

/** One standard in which a dataset of the catalogue can be had. */
export type Offer = {
  /** Identifier of the dataset, such as `timeseries/BikesharingStation`. */
  readonly dataset: string
  readonly name: string
  readonly version: string
  /** Below the root. */
  readonly path: string
  readonly mediaType: string
}

/** Stations in the form of a standard, under addresses of their own. */
export type Exit = {
  /** In metrics and `/health/standards`, such as `gbfs/bolzano`. */
  readonly name: string
  readonly concerned: Concerned
  /** Yields between pieces of work. */
  readonly build: (current: CurrentStations, moment: Moment) => Generator<undefined, Built>
  readonly offers: readonly Offer[]
}

export type KeptExit = {
  readonly exit: Exit
  /** What is current; callers that come while it is built wait for the one build. */
  readonly get: () => Promise<Built>
}

type Deps = {
  readonly source: StationSource
  readonly onBuild: (exit: Exit, built: Built) => void
  readonly now: () => Date
  /** Milliseconds from any beginning, never going back; by default those of this process. */
  readonly ticks?: () => number
}

type Last = {
  readonly version: string
  readonly rights: unknown
  readonly built: Built
  /** Until then, in ticks, it is answered even if stations have changed since. */
  readonly restsUntil: number
}

/** A build that takes longer, in ms, is followed by a rest of this many times as long … */
const short = 50
const rests = 4
/** … and at most this long, in ms: what was pushed is published within a second. */
const longestRest = 500

/**
 * Builds an exit when it is requested and its stations have changed since. Callers that come while it is
 * built wait for that build. A failed one is not kept, so the next request tries again.
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
    const rest = took > short ? Math.min(rests * took, longestRest) : 0
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
    // Rights may have changed while it was built.
    return current(version) ?? get()
  }
  return { exit, get }
}

const clock = () => performance.now()
