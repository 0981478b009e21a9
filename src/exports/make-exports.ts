import { rm } from 'node:fs/promises'
import { anonymous } from '../access/index.ts'
import { snapshotOf } from '../changes/index.ts'
import type { Feed, Following, Snapshot } from '../changes/index.ts'
import { namesIn, parseList, replaceExport, withoutOld } from './export-list.ts'
import type { ExportList, MadeExport } from './export-list.ts'
import type { ExportStore } from './store.ts'
import { writeExport } from './write-export.ts'
import type { PartLimits } from './write-export.ts'
import { fieldsOf, textOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import { sql } from '../sql/index.ts'
import type { Log, Queryable } from '../storage/index.ts'
import type { Every } from '../async/index.ts'
import type { Problem } from '../observe/index.ts'

export type ExportDeps = {
  readonly following: Following
  readonly store: ExportStore
}

type Deps = ExportDeps & {
  /** Licences of open data that states none, by origin in lower case, or `*`. */
  readonly licences: ReadonlyMap<string, string>
  readonly limits: PartLimits
  /** Identifies this process. */
  readonly holder: string
}

/** Selects which exports to make. */
type ExportOptions = {
  /** Exports that are older, in milliseconds, are made again, as are those no longer valid. */
  readonly age: number
  /** Datasets to export. Default: all. */
  readonly datasets?: readonly string[]
  readonly signal?: AbortSignal
  readonly report: (outcome: Outcome) => void
}

/** Result of one export. */
export type Outcome =
  | { readonly kind: 'made'; readonly made: MadeExport }
  | { readonly kind: 'failed'; readonly dataset: string; readonly error: unknown }

/**
 * @returns `busy` if another process is making exports
 * @throws Error if no export can be made
 */
export type ExportMaker = (wanted: ExportOptions) => Promise<'busy' | 'done'>

/** Makes exports of the feeds that everybody may follow. */
export const exportMaker =
  (deps: Deps): ExportMaker =>
  async (wanted) => {
    const lease = await takeLease(deps.following.database, deps.holder)
    if (lease === undefined) return 'busy'
    try {
      await makeDue(deps, wanted, lease)
      return 'done'
    } finally {
      await lease.release()
    }
  }

/** A feed that everybody may follow. */
export type PublicFeed = { readonly feed: Feed; readonly snapshot: Snapshot }

/** Returns the feeds that everybody may follow, with the rights of everybody at this time. */
export async function publicFeeds(following: Following): Promise<readonly PublicFeed[]> {
  const visibility = following.visibilityOf(anonymous)
  const feeds = (await Promise.all(following.sources.map(({ list }) => list(visibility)))).flat()
  return (
    feeds
      // The feed `all` is left out, because its parts are exported.
      .filter(({ needsToken, area }) => !needsToken && area !== undefined)
      .map((feed) => ({ feed, snapshot: snapshotOf(following, feed) }))
  )
}

async function makeDue(deps: Deps, wanted: ExportOptions, lease: Lease): Promise<void> {
  const { age, datasets, signal, report } = wanted
  const feeds = await publicFeeds(deps.following)
  let list = await tidy(deps, feeds)
  const stored = new Set(await deps.store.names())
  const before = new Date(deps.following.now().getTime() - age).toISOString()
  const names = new Set(feeds.map(({ feed }) => feed.name))
  for (const dataset of (datasets ?? []).filter((name) => !names.has(name))) {
    report({ kind: 'failed', dataset, error: new Error(unknown) })
  }
  const onProgress = async () => {
    signal?.throwIfAborted()
    await lease.renew()
  }
  for (const one of feeds) {
    const dataset = one.feed.name
    if (datasets?.includes(dataset) === false) continue
    await onProgress()
    const last = list.exports.find((made) => made.dataset === dataset)
    if (last !== undefined && isCurrent(one, last, { stored, before })) continue
    try {
      const made = await makeOne(deps, one, onProgress)
      list = replaceExport(list, made, deps.following.now())
      await deps.store.writeList(JSON.stringify(list))
      report({ kind: 'made', made })
    } catch (error) {
      signal?.throwIfAborted()
      report({ kind: 'failed', dataset, error })
    }
  }
}

const unknown =
  'This is not a feed that callers without a token can follow. GET /changes lists all feeds.'

function isCurrent(
  { snapshot }: PublicFeed,
  { madeAt, offset, files }: MadeExport,
  { stored, before }: { readonly stored: ReadonlySet<string>; readonly before: string },
): boolean {
  if (madeAt <= before || !files.every(({ name }) => stored.has(name))) return false
  return snapshot.isValid(offset)
}

/** Milliseconds for which replaced files can still be downloaded. */
const retirement = 86_400_000

/**
 * Removes exports that must no longer be served, files that were replaced long ago, and leftovers
 * of interrupted runs.
 */
async function tidy(deps: Deps, feeds: readonly PublicFeed[]): Promise<ExportList> {
  const { store } = deps
  await store.removeUnfinished(deps.following.now())
  const text = await store.readList(true)
  const readerships = new Map(feeds.map(({ feed, snapshot }) => [feed.name, snapshot.readership]))
  const before = new Date(deps.following.now().getTime() - retirement)
  const list = withoutOld(parseList(text), readerships, before)
  const kept = JSON.stringify(list)
  if (text !== undefined && kept !== text) await store.writeList(kept)
  const known = namesIn(list)
  for (const name of await store.names()) if (!known.has(name)) await store.remove(name)
  return list
}

async function makeOne(
  { store, limits, licences, following: { now } }: Deps,
  { feed, snapshot }: PublicFeed,
  onProgress: () => Promise<void>,
): Promise<MadeExport> {
  const { name: dataset, description } = feed
  const { readership } = snapshot
  const madeAt = now().toISOString()
  const { offset, pages } = await snapshot.begin()
  const tally = tallyLicences(licences)
  const folder = await store.openWorkFolder()
  const writing = { dataset, pages, folder, limits, onProgress }
  try {
    const written = await writeExport({ ...writing, note: ({ value }) => tally.note(value) })
    for (const { path, file } of written) {
      await onProgress()
      await store.put(path, file)
    }
    const files = written.map(({ file }) => file)
    const [count, licence] = [tally.count(), tally.print()]
    return { dataset, description, readership, offset, madeAt, count, licence, files }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Counts records and their licences.
 * @param defaults licences of open data that states none, by origin in lower case, or `*`
 */
export function tallyLicences(defaults: ReadonlyMap<string, string>) {
  const counts = new Map<string, number>()
  let count = 0
  return {
    note: (value: Members): void => {
      count += 1
      const licence = statedIn(value) ?? defaults.get(originOf(value)) ?? defaults.get('*')
      if (licence !== undefined) counts.set(licence, (counts.get(licence) ?? 0) + 1)
    },
    count: () => count,
    /** Returns all licences, the most frequent first, or null if there is none. */
    print: (): string | null => {
      const sorted = [...counts].sort(([, left], [, right]) => right - left)
      return sorted.length === 0 ? null : sorted.map(([name]) => name).join(', ')
    },
  }
}

/** Returns the licence stated by a record, or in the metadata of a station or event. */
function statedIn(value: Members): string | undefined {
  const metadata = { ...fieldsOf(value['smetadata']), ...fieldsOf(value['evmetadata']) }
  return (
    textOf(fieldsOf(value['LicenseInfo'])['License']) ??
    textOf(metadata['licence']) ??
    textOf(metadata['license'])
  )
}

function originOf(value: Members): string {
  const source = fieldsOf(value['_Meta'])['Source'] ?? value['Source']
  return (textOf(source ?? value['sorigin'] ?? value['evorigin']) ?? '').toLowerCase()
}

/** How long a process without a sign of life keeps others from making exports. */
const leaseSeconds = 300

/** Minimum interval between two renewals of the lease, in milliseconds. */
const renewalInterval = 15_000

type Lease = {
  /**
   * @throws Error if another process has taken over, because this one did not renew for too long
   */
  readonly renew: () => Promise<void>
  readonly release: () => Promise<void>
}

/**
 * Lets only one process make exports at a time. A database lock cannot do that: exports take
 * minutes, and the embedded database has a single connection.
 * @returns undefined if another process is making exports
 */
async function takeLease(database: Queryable, holder: string): Promise<Lease | undefined> {
  const take = () =>
    database.execute(sql`
      insert into export_lease (holder, until)
      values (${holder}, clock_timestamp() + ${leaseSeconds}::int * interval '1 second')
      on conflict (only_row) do update set holder = excluded.holder, until = excluded.until
      where export_lease.holder = excluded.holder or export_lease.until < clock_timestamp()`)
  if ((await take()) === 0) return undefined
  let renewed = performance.now()
  return {
    renew: async () => {
      if (performance.now() - renewed < renewalInterval) return
      if ((await take()) === 0) throw new Error('Another process has begun to make exports.')
      renewed = performance.now()
    },
    release: async () => {
      await database.execute(sql`delete from export_lease where holder = ${holder}`)
    },
  }
}

type KeepDeps = {
  readonly maker: () => Promise<ExportMaker>
  /** Milliseconds after which an export is made again. */
  readonly age: number
  readonly every: Every
  readonly log: Log
}

/**
 * Interval at which exports are checked, in milliseconds. The first check comes after one interval,
 * because a hub that has just started has other work to do first.
 */
const checkInterval = 600_000

/** Keeps exports current while the hub runs. */
export function keepExports(deps: KeepDeps): {
  readonly problems: () => readonly Problem[]
  /** Resolves when nothing is being written any more. */
  readonly stop: () => Promise<void>
} {
  const closing = new AbortController()
  let failed: readonly string[] = []
  let running = Promise.resolve()
  const make = async () => {
    failed = await makeThoseDue(deps, closing.signal, failed)
  }
  const end = deps.every(checkInterval, () => (running = make()))
  return {
    problems: () =>
      failed.map((dataset) => ({
        component: 'exports',
        detail: `An export could not be made (${dataset}); the hub tries again every 10 minutes.`,
      })),
    stop: async () => {
      end()
      closing.abort()
      await running
    },
  }
}

/** @returns the datasets whose exports could not be made */
async function makeThoseDue(
  { maker, age, log }: KeepDeps,
  signal: AbortSignal,
  before: readonly string[],
): Promise<readonly string[]> {
  const failed: string[] = []
  const report = (outcome: Outcome) => {
    if (outcome.kind === 'made') {
      const { dataset, count } = outcome.made
      log.info({ dataset, count }, 'An export was made.')
      return
    }
    const { dataset, error: err } = outcome
    failed.push(dataset)
    log.warn({ err, dataset }, 'An export could not be made; it is tried again.')
  }
  try {
    const make = await maker()
    return (await make({ age, signal, report })) === 'done' ? failed : before
  } catch (err) {
    if (signal.aborted) return before
    log.warn({ err }, 'Exports could not be made; they are tried again.')
    return ['all']
  }
}
