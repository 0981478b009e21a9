import { represent } from '../representation/index.ts'
import { defineFormat, separated } from './format.ts'
import type { LoadedRecord, Occasion } from './format.ts'

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
function toLine({ id, data }: LoadedRecord, { addressOf, representation }: Occasion): string {
  return `${represent(data, addressOf(id), representation)}\n`
}
