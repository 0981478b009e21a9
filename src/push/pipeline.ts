import type { Transaction } from '../storage/index.ts'
import type { Rejection } from './rejection.ts'

/** What storing needs to know about the message beyond its content. */
export type Saving = {
  /** When the hub got the message, or the time that an ADMIN gave instead (`recorded`). */
  readonly received: Date
  /** First segment of the stream's path. */
  readonly provider: string
  /**
   * Where the part stands, for records that keep where they came from; undefined when the message is not
   * kept. Asked for only by those who need it.
   */
  readonly place?: (() => Promise<Place>) | undefined
}

/** A part of a kept message: its line, counted from 1, when the message is NDJSON. */
export type Place = { readonly message: string; readonly line: number | undefined }

export type Stored = { readonly stored: number; readonly rejected: readonly Rejection[] }

/** A part of a message that can be stored: checked, its bad items refused already. */
export type Part = {
  readonly rejected: readonly Rejection[]
  /** Transaction time that the part claims for its data; only an ADMIN may. */
  readonly recorded: string | undefined
  readonly store: (tx: Transaction, saving: Saving) => Promise<Stored>
}

/** A part and the line it stood on, counted from 1, when the message was NDJSON. */
export type PlacedPart = Part & { readonly line: number | undefined }

export type Preparation =
  /** Each part is prepared when its turn comes, so that only one is in memory. */
  | { readonly kind: 'prepared'; readonly parts: Iterable<PlacedPart> }
  /** Not a body for this pipeline. */
  | { readonly kind: 'foreign'; readonly reason: string }

/** Turns the body of a message into what can be stored. Pure: the same body gives the same parts. */
export type Pipeline = {
  readonly id: string
  readonly prepare: (body: Uint8Array) => Preparation
}
