import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Message } from './messages.ts'

/** A file of an export that is still to be loaded. */
export const exportFile = Type.Object({
  /** Path on the hub. */
  url: Type.String(),
  bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type ExportFile = Static<typeof exportFile>

/** How far the copy of a feed is. */
export const progress = Type.Object({
  /** Grows with each list that begins. */
  generation: Type.Integer(),
  /** In a list, records of generations before it have not been removed yet. */
  phase: Type.Enum(['list', 'changes']),
  /** Where the feed continues, after the files. */
  offset: Type.String(),
  files: Type.Array(exportFile),
})
export type Progress = Static<typeof progress>

/** The records of one feed, and how far they are. Both change together, whatever happens meanwhile. */
export type FeedCopy = {
  /** As it was when the copy was opened; undefined before the first list. */
  readonly progress: Progress | undefined
  readonly apply: (messages: readonly Message[], next: Progress) => Promise<void>
  /** Removes the records of earlier generations. */
  readonly sweep: (next: Progress) => Promise<void>
  readonly close: () => Promise<void>
}

/** Where records are copied to. */
export type Copy = {
  /** Holds files of exports while they are loaded. */
  readonly folder: string
  readonly open: (feed: string) => Promise<FeedCopy>
  readonly close: () => Promise<void>
}

export type CopyDeps = {
  /** Names this process. */
  readonly writer: string
  readonly now: () => Date
}

export function takenOver(target: string): Error {
  return new Error(`Another mirror writes to ${target} now, so this one ends.`)
}
