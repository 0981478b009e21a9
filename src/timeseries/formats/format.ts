import type { Written } from '../../async/index.ts'
import type { Offer } from '../../http/index.ts'
import type { TextRow } from '../../storage/index.ts'
import type { Column, Style } from '../read/members.ts'
import type { Representation } from '../read/representation.ts'
import type { ValueKinds } from '../read/values/packing.ts'

/** Writes the `data` of a response in pieces: the rows of a page, and what closes the last page. */
export type Writer = {
  readonly rows: (rows: readonly TextRow[]) => string
  readonly end: () => string
}

/** What a format needs to know of a response to write its rows. */
export type Listing = {
  readonly offset: number
  /** The limit as it was requested. */
  readonly limit: number
  /** Shown columns of one level, in order. */
  readonly columns: readonly Column[]
  readonly style: Style
  /** Writes `data` of the JSON response, flat or as a tree. */
  readonly data: Writer
  /** Whether a byte order mark is requested (`bom`). */
  readonly bom: boolean
  /** Kinds of the measured values. Only binary formats need them. */
  readonly kinds: ValueKinds
  /** Name of the zone in which times are shown. */
  readonly zone: string
}

/** Writes a response in pieces. */
export type AnswerWriter = {
  readonly begin: () => Written
  readonly rows: (rows: readonly TextRow[]) => Written
  readonly end: () => Written
}

/**
 * A response format: a declaration that determines negotiation, routes and OpenAPI. A new format is
 * one entry in `formats` (`index.ts`).
 */
export type Format = Offer & {
  readonly summary: string
  /** Structures that can be written in this format. */
  readonly structures: readonly Representation['structure'][]
  /** Whether each row is read with its place, even if `select` leaves it out. */
  readonly needsPlace: boolean
  readonly open: (listing: Listing) => AnswerWriter | Promise<AnswerWriter>
}
