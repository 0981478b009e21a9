import type { Written } from '../../async/index.ts'
import type { Offer } from '../../http/index.ts'
import type { Entity } from '../entity.ts'
import { represent } from '../representation.ts'
import type { Representation } from '../representation.ts'

/** Record as the database returns it: its identifier, and JSON text. */
export type LoadedRecord = { readonly id: string; readonly data: string }

/** What a format needs to write the records of a response. */
export type AnswerContext = {
  readonly entity: Entity
  readonly representation: Representation
  /** Whether closed fields are left out for this caller (decision D34). */
  readonly reduced: boolean
  readonly addressOf: (id: string) => string
  /** Whether a byte order mark is requested (`bom`). */
  readonly bom: boolean
}

/** Response with many records. */
export type Listing = AnswerContext & {
  /** Whether to leave out the envelope, if the format has one (decision D20). */
  readonly isBare: boolean
  readonly total: number
  readonly totalPages: number
  readonly pageNumber: number
  /** Absolute URLs of the previous and the next page. */
  readonly previousPage: string | null
  readonly nextPage: string | null
  /** Seed of a random order (decision D25). */
  readonly seed: string | null
  readonly further: Readonly<Record<string, unknown>>
  /**
   * Names of the fields of the records, for formats that must have them before the first record.
   */
  readonly columns: readonly string[]
}

/** Writes the records of a listing in batches. The pieces are parts of one response, in order. */
export type Writer<Piece extends Written = Written> = {
  readonly begin: () => Piece
  readonly records: (records: readonly LoadedRecord[]) => Piece
  readonly end: () => Piece
}

/** Parameters that a format may ignore. */
export type Ignorable = 'fields' | 'language' | 'removenullvalues' | 'bom'

/**
 * Response format: a declaration from which content negotiation, routes and OpenAPI follow. A new
 * format is one new file, and one line in `index.ts`.
 */
export type Format = Offer & {
  readonly summary: string
  readonly isFor: (entity: Entity, kind: 'item' | 'list') => boolean
  /** Whether the format supports a stream of all matching records (`stream`). */
  readonly streams: boolean
  /** Whether the format needs whole records, so that the database must not select fields. */
  readonly needsWhole: boolean
  /** Whether the columns of a listing must be determined before its first record is written. */
  readonly needsColumns: boolean
  /** Whether all positions are in WGS 84, so that no other reference system can be requested. */
  readonly isInWgs84: boolean
  /**
   * What is loaded for each record: the record itself, or the source item that it was made from.
   */
  readonly reads: 'record' | 'origin'
  readonly ignores: readonly Ignorable[]
  readonly list: (listing: Listing) => Writer | Promise<Writer>
  readonly item: (
    record: LoadedRecord,
    context: AnswerContext,
  ) => string | Buffer | Promise<string | Buffer>
}

/** Completes a declaration with defaults. */
export function defineFormat<
  Definition extends Pick<Format, 'name' | 'mediaTypes' | 'summary' | 'list' | 'item'> &
    Partial<Format>,
>(definition: Definition): Definition & Format {
  return {
    isFor: () => true,
    streams: false,
    needsWhole: false,
    needsColumns: false,
    isInWgs84: false,
    reads: 'record',
    ignores: ['bom'],
    ...definition,
  }
}

/** Returns a writer of records that puts a separator between them. */
export function separated(parts: {
  readonly begin: string
  readonly separator: string
  readonly end: string
  /** @returns none, one or several texts for one record */
  readonly record: (record: LoadedRecord) => readonly string[]
}): Writer<string> {
  let isFirst = true
  return {
    begin: () => parts.begin,
    records: (records) => {
      const text = records.flatMap(parts.record).join(parts.separator)
      if (text === '') return ''
      const joined = isFirst ? text : `${parts.separator}${text}`
      isFirst = false
      return joined
    },
    end: () => parts.end,
  }
}

/** Default format: the record itself, in the list envelope (interface 2.1, 4.1). */
export const json = defineFormat({
  name: 'json',
  mediaTypes: ['application/json', 'text/json', 'text/plain'],
  summary: 'JSON',
  streams: true,
  list: (listing) => {
    const { addressOf, representation, isBare } = listing
    return separated({
      begin: isBare ? '[' : `${headOf(listing).slice(0, -1)},"Items":[`,
      separator: ',',
      end: isBare ? ']' : ']}',
      record: ({ id, data }) => [represent(data, addressOf(id), representation)],
    })
  },
  item: ({ id, data }, { addressOf, representation }) =>
    represent(data, addressOf(id), representation),
})

/** Prints the envelope without its items. The order of its fields is that of decision D20. */
function headOf(listing: Listing): string {
  return JSON.stringify({
    TotalResults: listing.total,
    TotalPages: listing.totalPages,
    CurrentPage: listing.pageNumber,
    PreviousPage: listing.previousPage,
    NextPage: listing.nextPage,
    Seed: listing.seed,
    ...listing.further,
  })
}

/** One record on each line, as in the JSON list, without an envelope. */
export const ndjson = defineFormat({
  name: 'ndjson',
  mediaTypes: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  summary: 'One JSON record on each line',
  streams: true,
  list: (listing) =>
    separated({
      begin: '',
      separator: '',
      end: '',
      record: (record) => [toLine(record, listing)],
    }),
  item: toLine,
})

/**
 * Prints a record as a line. JSON as printed by PostgreSQL and JavaScript has no line breaks,
 * neither between values nor inside them.
 */
function toLine({ id, data }: LoadedRecord, { addressOf, representation }: AnswerContext): string {
  return `${represent(data, addressOf(id), representation)}\n`
}

/**
 * Source items that the records were made from, each byte for byte as its provider wrote it. The
 * rest of the message is not shown. A list is an array, with null for a record whose source item
 * was not kept.
 */
export const rawdata = defineFormat({
  name: 'rawdata',
  mediaTypes: ['application/rawdata'],
  summary: 'The source item of a record, as its provider sent it',
  needsWhole: true,
  reads: 'origin',
  ignores: ['fields', 'language', 'removenullvalues', 'bom'],
  list: () => separated({ begin: '[', separator: ',\n', end: ']', record: ({ data }) => [data] }),
  item: ({ data }) => data,
})
