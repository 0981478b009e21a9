import type { Written } from '../../async/index.ts'
import type { Offer } from '../../http/index.ts'
import type { TextRow } from '../../storage/index.ts'
import type { Column, Style } from '../read/members.ts'
import type { Representation } from '../read/representation.ts'
import type { ValueKinds } from '../read/values/packing.ts'

/** Writes the `data` of an answer, piece by piece: the rows of a page, and what closes the last one. */
export type Writer = {
  readonly rows: (rows: readonly TextRow[]) => string
  readonly end: () => string
}

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
  /** Whether a byte order mark is requested (`bom`). */
  readonly bom: boolean
  /** Of which kinds measured values are; only binary formats have to know. */
  readonly kinds: ValueKinds
  /** Name of the zone in which times are shown. */
  readonly zone: string
}

/** Writes an answer piece by piece. */
export type AnswerWriter = {
  readonly begin: () => Written
  readonly rows: (rows: readonly TextRow[]) => Written
  readonly end: () => Written
}

/**
 * One format of answers: a declaration from which negotiation, routes and OpenAPI follow. A new format
 * is one entry in `formats.ts`.
 */
export type Format = Offer & {
  readonly summary: string
  /** Structures that can be written so. */
  readonly structures: readonly Representation['structure'][]
  /** Whether each row is read with its place, also where `select` leaves it out. */
  readonly needsPlace: boolean
  readonly open: (listing: Listing) => AnswerWriter | Promise<AnswerWriter>
}
