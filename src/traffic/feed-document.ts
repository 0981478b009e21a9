import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Publication } from './publication.ts'

export const encodings = ['br', 'gzip', 'identity'] as const

/** Content codings that the feed keeps ready. */
export type Encoding = (typeof encodings)[number]

/** A built publication, ready to be sent in any encoding. */
export type FeedDocument = Publication & {
  /** Strong, thus another one for each encoding (RFC 9110 section 8.8.3.3). */
  readonly etag: (encoding: Encoding) => string
  /** The bytes; packed when first asked for, and once only. */
  readonly bytes: (encoding: Encoding) => Promise<Buffer>
}

const pack: Readonly<Record<Encoding, (plain: Buffer) => Promise<Buffer>>> = {
  identity: (plain) => Promise.resolve(plain),
  gzip: promisify(gzip),
  br: (plain) => packBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
}

const packBrotli = promisify(brotliCompress)

export function toFeedDocument(publication: Publication): FeedDocument {
  const plain = Buffer.from(publication.xml)
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 27)
  const packed = new Map<Encoding, Promise<Buffer>>()
  return {
    ...publication,
    etag: (encoding) => (encoding === 'identity' ? `"${digest}"` : `"${digest}-${encoding}"`),
    bytes: (encoding) => {
      const bytes = packed.get(encoding) ?? pack[encoding](plain)
      packed.set(encoding, bytes)
      return bytes
    },
  }
}
