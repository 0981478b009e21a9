import { membersOf } from '../read/members.ts'
import type { Format } from './format.ts'

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
