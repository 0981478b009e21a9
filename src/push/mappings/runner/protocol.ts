import type { LoadedMapping } from '../definition/loaded-mapping.ts'
import type { Work } from '../evaluate/evaluate-message.ts'
import type { Slice } from '../evaluate/slice.ts'
import type { SourceRejection } from '../faults.ts'

/** What the hub tells the process that evaluates mappings. */
export type ToProcess =
  | {
      readonly kind: 'load'
      readonly mappings: readonly LoadedMapping[]
      readonly maxBytes: number
    }
  | { readonly kind: 'map'; readonly id: number; readonly mapping: string; readonly work: Work }

/** What it answers. Each is a sign of life. */
export type FromProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'slice'; readonly id: number; readonly slice: Slice }
  | { readonly kind: 'done'; readonly id: number }
  /** Nothing of the message can be taken. */
  | { readonly kind: 'refused'; readonly id: number; readonly rejected: readonly SourceRejection[] }
  /** A fault of the hub, not of the message. */
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
