import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

const params = { [constants.ZSTD_c_compressionLevel]: 1 }

/**
 * Compresses pages of Parquet with Zstandard, which is native code in Node. The library's own
 * Snappy, written in JavaScript, takes three to ten times as long and produces up to twice as many
 * bytes.
 */
export const compression = {
  codec: 'ZSTD',
  compressors: { ZSTD: (page: Uint8Array): Uint8Array => zstdCompressSync(page, { params }) },
} as const

/** Decompresses pages of Parquet files. */
export const decompression = {
  compressors: { ZSTD: (page: Uint8Array): Uint8Array => zstdDecompressSync(page) },
} as const
