import type { Transaction } from '../storage/index.ts'
import type { Pushed } from './scope/index.ts'
import type { Rejection } from './rejection.ts'

/** What storing needs to know about the message beyond its content. */
export type Saving = Pushed & {
  /** When the hub got the message, or the time that an ADMIN gave instead (`recorded`). */
  readonly received: Date
  /** First segment of the stream's path. */
  readonly provider: string
  /**
   * Identifier of the message, for records that keep where they came from; undefined when it is not
   * kept. Asked for only by those who need it.
   */
  readonly keptAs?: (() => Promise<string>) | undefined
  /** The mapping that made the object, and which item of the payload each of its items was made of. */
  readonly mapping?: {
    readonly name: string
    readonly version: string
    readonly sources: readonly (number | null)[]
  }
}

/** The mapping that took a message, as the receipt and the provenance name it. */
export type MappingName = {
  readonly name: string
  readonly version: string
  /** Of its files, in hexadecimal digits. */
  readonly sha256: string
}

export type Stored = {
  readonly stored: number
  readonly rejected: readonly Rejection[]
  /** What was taken, though it is of another type than usual (decision D66). */
  readonly warnings?: readonly Rejection[]
  /** The mapping that took it; undefined when it is in a canonical format. */
  readonly mapping?: MappingName
  /** Whether some were rejected only because what they refer to is not known yet. */
  readonly awaits?: boolean
  /** Until when it is tried again for that; what was taken is stored already. */
  readonly waits?: Date
  /** Why no pipeline reads the body: it waits for one, and nothing of it is stored. */
  readonly unread?: Rejection
}

/** Objects of a message that are stored together: checked, their bad items refused already. */
export type Part = {
  /**
   * Where the objects stood that are sound beside their items, counted from 1; undefined when the
   * message was no NDJSON.
   */
  readonly lines: readonly (number | undefined)[]
  /** In the order of the lines; so are those of `store`. */
  readonly rejected: readonly Rejection[]
  readonly warnings?: readonly Rejection[]
  /** Transaction time that the part claims for its data; only an ADMIN may. */
  readonly recorded: string | undefined
  readonly store: (tx: Transaction, saving: Saving) => Promise<Stored>
}

export type Preparation =
  /** Each part is prepared when its turn comes, so that only one is in memory. */
  | { readonly kind: 'prepared'; readonly parts: Iterable<Part> }
  /** Not a body for this pipeline, and what keeps it from being one. */
  | { readonly kind: 'foreign'; readonly fault: Rejection }

/** A message of a stream with a mapping. */
export type MappedMessage = {
  readonly body: Uint8Array
  readonly stream: string
  readonly received: Date
  readonly contentType: string | null
}

/** What its mapping made of a message; `parts` may be asked for again after a failure. */
export type PreparedMessage = {
  /** Members of canonical objects that have a value in some item. */
  readonly members: readonly string[]
  readonly mapping: MappingName
  readonly parts: () => Iterable<Part>
}

/**
 * The mappings of streams. Preparing takes its time outside of this thread, so it comes before the
 * transaction that stores: it must not hold up others.
 */
export type Mappings = {
  /** Seconds that preparing a message of the stream takes at most; undefined when it has no mapping. */
  readonly secondsFor: (stream: string) => number | undefined
  /** @throws Error when the mapping cannot be evaluated by no fault of the message */
  readonly prepare: (message: MappedMessage) => Promise<PreparedMessage>
  /**
   * The same for a dry run, of which only some may wait.
   * @throws AppError HUB-SRV-007, and what `prepare` throws
   */
  readonly prepareTrial: (message: MappedMessage) => Promise<PreparedMessage>
  readonly close: () => Promise<void>
}

/** Turns the body of a message into what can be stored. Pure: the same body gives the same parts. */
export type Pipeline = {
  readonly id: string
  readonly prepare: (body: Uint8Array) => Preparation
  /** What is wrong with a body that was meant for it, as far as its beginning shows: within microseconds. */
  readonly nearly?: (body: Uint8Array) => Rejection | undefined
}
