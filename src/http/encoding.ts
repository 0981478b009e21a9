import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { parseWeights } from './choose-format.ts'

export const encodings = ['br', 'gzip', 'identity'] as const

/** Content codings in which bytes are kept ready. */
export type Encoding = (typeof encodings)[number]

/**
 * The encoding that `Accept-Encoding` prefers (RFC 9110 section 12.5.3); among equals the smallest
 * result. Without the header, and when nothing matches, the bytes go as they are.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  const weights = new Map(
    parseWeights(acceptEncoding ?? '').map(({ name, weight }) => [
      // RFC 9110 section 8.4.1.3: the same coding.
      name === 'x-gzip' ? 'gzip' : name,
      weight,
    ]),
  )
  let chosen: Encoding = 'identity'
  let best = 0
  for (const encoding of encodings) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    if (weight > best) [chosen, best] = [encoding, weight]
  }
  return chosen
}

/** The same bytes in any encoding: packed when first requested, and once only. */
export type PackedBytes = (encoding: Encoding) => Promise<Buffer>

/** @param quality of Brotli, 0 to 11: the more, the smaller and the slower */
export function packOnce(plain: Buffer, quality: number): PackedBytes {
  const packed = new Map<Encoding, Promise<Buffer>>()
  return (encoding) => {
    const bytes = packed.get(encoding) ?? pack(plain, encoding, quality)
    packed.set(encoding, bytes)
    return bytes
  }
}

function pack(plain: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  switch (encoding) {
    case 'identity':
      return Promise.resolve(plain)
    case 'gzip':
      return promisify(gzip)(plain)
    case 'br':
      return promisify(brotliCompress)(plain, {
        params: { [constants.BROTLI_PARAM_QUALITY]: quality },
      })
  }
}
