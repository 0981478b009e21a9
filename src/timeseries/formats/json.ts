import { membersOf } from '../read/members.ts'
import type { Format } from './format.ts'

/** The default: rows in the envelope of the interface (2.5). */
export const json: Format = {
  name: 'json',
  mediaTypes: ['application/json', 'text/json'],
  summary: 'JSON',
  structures: ['flat', 'tree'],
  needsPlace: false,
  open: ({ offset, limit, data }) => ({
    begin: () => `{"offset":${String(offset)},"limit":${String(limit)},"data":`,
    rows: data.rows,
    end: () => `${data.end()}}`,
  }),
}

/** One object on each line, as the flat JSON answer has them, without an envelope. */
export const ndjson: Format = {
  name: 'ndjson',
  mediaTypes: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  summary: 'One JSON object on each line',
  structures: ['flat'],
  needsPlace: false,
  open: ({ columns, style }) => {
    const write = membersOf(columns, style)
    return {
      begin: () => '',
      rows: (rows) =>
        rows
          .map(write)
          .filter((members) => members !== '')
          .map((members) => `{${members}}\n`)
          .join(''),
      end: () => '',
    }
  },
}
