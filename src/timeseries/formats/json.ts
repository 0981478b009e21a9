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
