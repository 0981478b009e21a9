import type { Offer } from '../../http/index.ts'
import type { Column, Style } from '../read/members.ts'
import type { Representation } from '../read/representation.ts'
import type { Writer } from '../read/writer.ts'

/** What a format has to know about an answer to write its rows. */
export type Listing = {
  readonly offset: number
  /** As it was sent. */
  readonly limit: number
  /** What is shown on one level, in order. */
  readonly columns: readonly Column[]
  readonly style: Style
  /** Writes `data` of the JSON answer, flat or as a tree. */
  readonly data: Writer
  /** Whether a byte order mark is asked for (`bom`). */
  readonly bom: boolean
}

/** Writes an answer piece by piece. */
export type AnswerWriter = Writer & { readonly begin: () => string }

/**
 * One format of answers: a declaration from which negotiation, routes and OpenAPI follow. A new format
 * is one new file, and one line in `formats.ts`.
 */
export type Format = Offer & {
  readonly summary: string
  /** Structures that can be written so. */
  readonly structures: readonly Representation['structure'][]
  /** Whether each row is read with its place, also where `select` leaves it out. */
  readonly needsPlace: boolean
  readonly open: (listing: Listing) => AnswerWriter
}
