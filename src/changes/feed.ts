import type { Area, Principal, Visibility } from '../access/index.ts'
import type { Sql } from '../sql/index.ts'

/** What a feature gives the change feed: which records there are to follow, and how they are read. */

/** What a record looks like to the reader of a feed. */
export type Entry = {
  readonly key: string
  /** JSON. */
  readonly value: string
}

/** Some of the records, in an order that never changes. */
export type Listed = {
  readonly entries: readonly Entry[]
  /** Where to go on; undefined after the last. */
  readonly next: string | undefined
}

/** A feed as one caller reads it with his parameters. */
export type Reading = {
  /**
   * Selects from `noted`, some rows of `change`, which records they concern: `sequence`, `xid`, `time`, `key`,
   * `target` (what `load` takes), whether the caller had `seen` it before, and whether it is `fresh`,
   * new to him, where that is known.
   */
  readonly concerning: Sql
  /** The records of these targets, as they are now, as far as the caller sees them and they match. */
  readonly load: (targets: readonly string[]) => Promise<readonly Entry[]>
  readonly list: (after: string | undefined, limit: number) => Promise<Listed>
}

/** What a request may want of each record, by the language of its service. */
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

/** Something to follow. */
export type Feed = {
  /** Segment of its path. */
  readonly name: string
  /** `type` of its messages. */
  readonly type: string
  readonly description: string
  /** Names in `change` of what concerns it. */
  readonly datasets: readonly string[]
  /** What access rules compare: the area, and the type where there is but one. */
  readonly area: Area
  readonly ruleType: string | undefined
  /** Parameters of `FeedQuery` that it takes. */
  readonly takes: readonly (keyof FeedQuery)[]
  /** Whether only callers with a token may follow it (decision D34). */
  readonly needsToken: boolean
  /** @throws AppError for parameters that cannot be read */
  readonly open: (query: FeedQuery, caller: FeedCaller) => Promise<Reading>
}

export type FeedSource = {
  readonly list: () => Promise<readonly Feed[]>
  readonly find: (name: string) => Promise<Feed | undefined>
}
