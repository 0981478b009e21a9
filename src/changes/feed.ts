import type { Area, Principal, Visibility } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import type { Sql } from '../sql/index.ts'

/** Interface between a feature and the change feed: which records can be followed, and how. */

/** A record as the reader of a feed sees it. */
export type Entry = {
  readonly key: string
  /** JSON text. */
  readonly value: string
}

/** Type and key that identify a record in messages. */
export type EntryName = { readonly type: string; readonly key: string }

/** Some of the records, in an order that never changes. */
export type Listed = {
  readonly entries: readonly Entry[]
  /** Where to continue; undefined after the last record. */
  readonly next: string | undefined
}

/** A feed as one caller reads it with their parameters. */
export type Reading = {
  /**
   * SQL that selects, from the rows of `change` in `noted`, the records that they concern: `xid`,
   * `sequence`, `time`, `key`, `target` (text, the argument of `load`), and whether the caller
   * could see the record before (`saw`) and after (`sees`) the change.
   */
  readonly concerning: Concerning
  /** Names in `change` of the datasets that concern this feed. */
  readonly datasets: readonly string[]
  /**
   * Loads the current records of these targets that the caller can see and that match the query.
   */
  readonly load: (targets: readonly string[]) => Promise<readonly Entry[]>
  readonly list: (after: string | undefined, limit: number) => Promise<Listed>
  /** Returns type and key of a record in messages. Default: the feed's type, and the key itself. */
  readonly nameOf?: (key: string) => EntryName
}

/** For a feed of many datasets: returns the current ones, and the SQL for some of them. */
export type Concerning =
  | Sql
  | (() => Promise<{
      readonly datasets: readonly string[]
      readonly select: (datasets: readonly string[]) => Sql
    }>)

/** Which records a reader wants, and which parts of them, in the query language of the service. */
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
  /** Segment of the URL path. */
  readonly name: string
  /** The `type` of its messages. */
  readonly type: string
  readonly description: string
  /** Area and type that access rules compare; undefined if the feed has several. */
  readonly area: Area | undefined
  readonly ruleType: string | undefined
  /** Whether its data is always open. */
  readonly isOpen: boolean
  /** Parameters of `FeedQuery` that it accepts. */
  readonly takes: readonly (keyof FeedQuery)[]
  /** Whether only callers with a token may follow it (decision D34). */
  readonly needsToken: boolean
  /**
   * Reports whether the caller may know that the feed exists, which requires at least one record
   * that they can see.
   */
  readonly isKnown: (visibility: Visibility) => Promise<boolean>
  /** @throws AppError for invalid parameters */
  readonly open: (query: FeedQuery, caller: FeedCaller) => Promise<Reading>
}

export type FeedSource = {
  /** Lists the feeds that the caller may know of. */
  readonly list: (visibility: Visibility) => Promise<readonly Feed[]>
  /** Lists the feeds that have ever had a record. */
  readonly every: () => Promise<readonly Feed[]>
  /** Finds a feed by name, whether or not it has records. */
  readonly find: (name: string) => Feed | undefined
}

/** @throws AppError HUB-RTE-003 if the feed does not exist */
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
