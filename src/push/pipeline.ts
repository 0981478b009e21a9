import type { Transaction } from '../storage/index.ts'
import type { Rejection } from './rejection.ts'

/** What storing needs to know about the message beyond its content. */
export type Saving = {
  /** When the hub got the message, or the time that an ADMIN gave instead (`recorded`). */
  readonly received: Date
  /** First segment of the stream's path. */
  readonly provider: string
  /**
   * Identifier of the message, for records that keep where they came from; undefined when it is not
   * kept. Asked for only by those who need it.
   */
  readonly keptAs?: (() => Promise<string>) | undefined
}

export type Stored = { readonly stored: number; readonly rejected: readonly Rejection[] }

/** Objects of a message that are stored together: checked, their bad items refused already. */
export type Part = {
  /**
   * Where the objects stood that are sound beside their items, counted from 1; undefined when the
   * message was no NDJSON.
   */
  readonly lines: readonly (number | undefined)[]
  /** In the order of the lines; so are those of `store`. */
  readonly rejected: readonly Rejection[]
  /** Transaction time that the part claims for its data; only an ADMIN may. */
  readonly recorded: string | undefined
  readonly store: (tx: Transaction, saving: Saving) => Promise<Stored>
}

export type Preparation =
  /** Each part is prepared when its turn comes, so that only one is in memory. */
  | { readonly kind: 'prepared'; readonly parts: Iterable<Part> }
  /** Not a body for this pipeline. */
  | { readonly kind: 'foreign'; readonly reason: string }

/** Turns the body of a message into what can be stored. Pure: the same body gives the same parts. */
export type Pipeline = {
  readonly id: string
  readonly prepare: (body: Uint8Array) => Preparation
}
