import type { Area, Principal, Visibility } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import type { Sql } from '../sql/index.ts'

/** What a feature gives the change feed: which records can be followed, and how they are read. */

/** What a record looks like to the reader of a feed. */
export type Entry = {
  readonly key: string
  /** JSON. */
  readonly value: string
}

/** What a message names a record by. */
export type EntryName = { readonly type: string; readonly key: string }

/** Some of the records, in an order that never changes. */
export type Listed = {
  readonly entries: readonly Entry[]
  /** Where to continue; undefined after the last. */
  readonly next: string | undefined
}

/** A feed as one caller reads it with their parameters. */
export type Reading = {
  /**
   * Selects from `noted`, some rows of `change`, the records they are about: `xid`, `sequence`, `time`, `key`,
   * `target` (text, what `load` takes), and whether the caller could see the record before (`saw`) and
   * after (`sees`).
   */
  readonly concerning: Concerning
  /** Names in `change` of what concerns it. */
  readonly datasets: readonly string[]
  /** The records of these targets as they are now, as far as the caller sees them and they match. */
  readonly load: (targets: readonly string[]) => Promise<readonly Entry[]>
  readonly list: (after: string | undefined, limit: number) => Promise<Listed>
  /** How messages name the record of a key; by the type of the feed and the key itself where it is left out. */
  readonly nameOf?: (key: string) => EntryName
}

/** Of a feed of many datasets the present ones, and what selects from some of them. */
export type Concerning =
  | Sql
  | (() => Promise<{
      readonly datasets: readonly string[]
      readonly select: (datasets: readonly string[]) => Sql
    }>)

/** Which records a reader wants, and what of each, in the language of the service. */
export type FeedQuery = {
  readonly fields?: string[]
  readonly language?: string
  readonly rawfilter?: string
  readonly select?: string
  readonly where?: string
}

export type FeedCaller = {
  readonly principal: Principal
  readonly visibility: Visibility
  readonly isStrict: boolean
}

/** Records of one kind that can be followed. */
export type Feed = {
  /** Segment of its path. */
  readonly name: string
  /** `type` of its messages. */
  readonly type: string
  readonly description: string
  /** What access rules compare: the area and the type, where there is but one. */
  readonly area: Area | undefined
  readonly ruleType: string | undefined
  /** Whether nothing in it is ever closed. */
  readonly isOpen: boolean
  /** Parameters of `FeedQuery` that it takes. */
  readonly takes: readonly (keyof FeedQuery)[]
  /** Whether only callers with a token may follow it (decision D34). */
  readonly needsToken: boolean
  /** Whether the caller may know of it: there is something in it that they can see. */
  readonly isKnown: (visibility: Visibility) => Promise<boolean>
  /** @throws AppError for parameters that cannot be read */
  readonly open: (query: FeedQuery, caller: FeedCaller) => Promise<Reading>
}

export type FeedSource = {
  /** Those that the caller may know of. */
  readonly list: (visibility: Visibility) => Promise<readonly Feed[]>
  /** Those that ever had a record. */
  readonly every: () => Promise<readonly Feed[]>
  /** By its name, whether it has records or not. */
  readonly find: (name: string) => Feed | undefined
}

/** @throws AppError HUB-RTE-003 */
export function findFeed(sources: readonly FeedSource[], name: string): Feed {
  for (const source of sources) {
    const feed = source.find(name)
    if (feed !== undefined) return feed
  }
  throw unknownFeed(name)
}

export function unknownFeed(name: string): AppError {
  return new AppError('HUB-RTE-003', `There is no feed ${JSON.stringify(name)}.`, {
    hint: 'GET /changes lists all feeds.',
  })
}
