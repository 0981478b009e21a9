import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Message } from './messages.ts'

/** A file of an export that has not been loaded yet. */
export const exportFile = Type.Object({
  /** Path on the hub. */
  url: Type.String(),
  bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type ExportFile = Static<typeof exportFile>

/** How far a feed has been copied. */
export const progress = Type.Object({
  /** Incremented with each list that starts. */
  generation: Type.Integer(),
  /** During a list, the records of earlier generations have not been removed yet. */
  phase: Type.Enum(['list', 'changes']),
  /** The offset at which the feed continues after the files. */
  offset: Type.String(),
  files: Type.Array(exportFile),
})
export type Progress = Static<typeof progress>

/**
 * The copied records of one feed and their progress. Both change together, even if the process is
 * interrupted.
 */
export type FeedCopy = {
  /** Progress at the time when the copy was opened, or undefined before the first list. */
  readonly progress: Progress | undefined
  readonly apply: (messages: readonly Message[], next: Progress) => Promise<void>
  /** Removes the records of earlier generations. */
  readonly sweep: (next: Progress) => Promise<void>
  readonly close: () => Promise<void>
}

/** The destination that records are copied to. */
export type Copy = {
  /** Holds export files while they are loaded. */
  readonly folder: string
  readonly open: (feed: string) => Promise<FeedCopy>
  readonly close: () => Promise<void>
}

export type CopyDeps = {
  /** Identifies this process. */
  readonly writer: string
  readonly now: () => Date
}

export function takenOver(target: string): Error {
  return new Error(`Another mirror writes to ${target} now, so this one ends.`)
}
