import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

const params = { [constants.ZSTD_c_compressionLevel]: 1 }

/**
 * How pages of Parquet are compressed: by Zstandard, which Node has as native code. The library's own Snappy, written
 * in JavaScript, takes three to ten times as long and leaves up to twice as many bytes.
 */
export const compression = {
  codec: 'ZSTD',
  compressors: { ZSTD: (page: Uint8Array): Uint8Array => zstdCompressSync(page, { params }) },
} as const

/** The same for reading. */
export const decompression = {
  compressors: { ZSTD: (page: Uint8Array): Uint8Array => zstdDecompressSync(page) },
} as const
