import { represent } from '../representation.ts'
import { defineFormat, separated } from './format.ts'
import type { Listing, LoadedRecord, AnswerContext } from './format.ts'

/** The default: the record itself, in the list envelope (interface 2.1, 4.1). */
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

/** The envelope without its items, members in the order of decision D20. */
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

/** One record on each line, as the JSON list has them, without an envelope. */
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

/** JSON as PostgreSQL and JavaScript print it has no line break outside of a text, and none inside. */
function toLine({ id, data }: LoadedRecord, { addressOf, representation }: AnswerContext): string {
  return `${represent(data, addressOf(id), representation)}\n`
}

/**
 * The source items that the records were made from, each as its provider wrote it, to the byte; the rest
 * of the message is not shown. A list is an array, with null for a record whose source item is not kept.
 */
export const rawdata = defineFormat({
  name: 'rawdata',
  mediaTypes: ['application/rawdata'],
  summary: 'The source item of a record, as its provider sent it',
  needsWhole: true,
  reads: 'origin',
  ignores: ['fields', 'language', 'removenullvalues'],
  list: () => separated({ begin: '[', separator: ',\n', end: ']', record: ({ data }) => [data] }),
  item: ({ data }) => data,
})
