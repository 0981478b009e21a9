import type { Format } from '../format.ts'

/** Columns as a Parquet file, small and ready to be kept. */
export const parquet: Format = {
  name: 'parquet',
  mediaTypes: ['application/vnd.apache.parquet'],
  isBinary: true,
  extension: 'parquet',
  summary: 'Typed columns as a compressed Apache Parquet file',
  structures: ['flat'],
  needsPlace: false,
  open: async (listing) => {
    const { parquetWriter } = await import('./parquet-writer.ts')
    return parquetWriter(listing)
  },
}
