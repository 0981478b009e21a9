import type { PushPermission } from '../access/index.ts'
import type { Database } from '../storage/index.ts'
import type { Backlog } from './backlog.ts'
import type { PushMetrics } from './metrics.ts'
import type { Stored } from './pipeline.ts'
import type { Rejection } from './rejection.ts'
import type { StreamTable } from './streams.ts'
import type { Trial } from './thread/protocol.ts'

/** What the routes of the push collector are given. */
export type PushDeps = {
  readonly database: Database
  readonly permission: PushPermission
  /** Tells the worker that a message has come. */
  readonly wake: () => void
  readonly bodyLimit: number
  readonly publicUrl: string
  readonly now: () => Date
  /** What a push would do. */
  readonly tryOut: (trial: Trial) => Promise<Stored>
  /** What is wrong with a body of a stream that was nearly understood; without it nothing is said. */
  readonly nearlyRead?: (stream: string, body: Uint8Array) => Rejection | undefined
  /** What operators say about streams; without it no stream is special. */
  readonly streams?: Pick<StreamTable, 'of'>
  /** Decides whether more can be taken; without it everything is. */
  readonly backlog?: Backlog
  readonly metrics?: PushMetrics
  /** Milliseconds that may pass without a byte of a body; 30 s when it is left out. */
  readonly patience?: number
  /** Where callers get their tokens, for the description. */
  readonly tokenUrl?: string
}
