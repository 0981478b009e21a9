import { represent } from '../representation/index.ts'
import { defineFormat, separated } from './format.ts'
import type { Listing } from './format.ts'

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
