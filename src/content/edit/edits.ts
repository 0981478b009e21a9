import type { Operation as PatchOperation } from 'rfc6902'

/** A record as it was sent, before anything is known about it. */
export type SentRecord = Readonly<Record<string, unknown>>

/** What one request wants done to one record. */
export type Edit =
  | {
      readonly operation: 'Create'
      readonly id: string
      /** Whether the hub made the identifier, so that nobody else can have it. */
      readonly hasNewId: boolean
      readonly record: SentRecord
    }
  | { readonly operation: 'Update'; readonly id: string; readonly record: SentRecord }
  | {
      readonly operation: 'Update'
      readonly id: string
      /** RFC 6902. */
      readonly patch: readonly PatchOperation[]
    }
  | { readonly operation: 'Delete'; readonly id: string }

export type Operation = Edit['operation']
