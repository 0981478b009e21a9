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

/** Characters that an object or a rejection counts for beside its text. */
export const weightOfOne = 100

/** How much rejections take, in characters. */
export function weightOf(rejected: readonly SourceRejection[]): number {
  return rejected.reduce(
    (sum, { reason, pointer = '' }) => sum + reason.length + pointer.length + weightOfOne,
    0,
  )
}
