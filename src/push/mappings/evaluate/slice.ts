import type { SourceRejection } from '../faults.ts'

/** What some items of a message became. */
export type Slice = {
  /** The first item that is not done yet. */
  readonly next: number
  /** Items of the message. */
  readonly total: number
  /** `[source, [canonical object, …]]`, as JSON, with commas between them. */
  readonly objects: string
  readonly rejected: readonly SourceRejection[]
}
