import { yieldToEventLoop } from '../../async/index.ts'
import type { AnswerWriter, Format, Listing } from './format.ts'

/** Columns as a stream of Apache Arrow, for programs that compute with them. */
export const arrow: Format = {
  name: 'arrow',
  mediaTypes: ['application/vnd.apache.arrow.stream'],
  isBinary: true,
  extension: 'arrows',
  summary: 'Typed columns as a stream of Apache Arrow record batches',
  structures: ['flat'],
  needsPlace: false,
  open: async (listing) => {
    openWriter ??= loadWriter()
    return (await openWriter)(listing)
  },
}

let openWriter: Promise<(listing: Listing) => AnswerWriter> | undefined

/**
 * The library is large, so it is loaded when it is asked for the first time; and in parts, because to load
 * it at once would hold up others for a tenth of a second.
 */
async function loadWriter() {
  const parts = [
    () => import('apache-arrow/enum'),
    () => import('apache-arrow/data'),
    () => import('apache-arrow/recordbatch'),
    () => import('apache-arrow/ipc/writer'),
  ]
  for (const load of parts) {
    await load()
    await yieldToEventLoop()
  }
  const { arrowWriter } = await import('./arrow-writer.ts')
  return arrowWriter
}

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
