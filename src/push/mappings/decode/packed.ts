import { gunzipSync } from 'node:zlib'
import { DecodeFault, shown } from './fault.ts'
import type { Decoding } from './limits.ts'
import { toBytes, toText } from './text.ts'

/** @throws DecodeFault for what is no gzip, and for what has more bytes than may be unpacked */
export function decodeGzip(input: unknown, decoding: Decoding): Uint8Array {
  const bytes = toBytes(input)
  return unpacked(() => gunzipSync(bytes, unpackLimit(decoding)), decoding)
}

/** Asked for before memory is taken. */
export const unpackLimit = ({ left }: Decoding) => ({ maxOutputLength: Math.max(1, left()) })

/** @param unpack throws a RangeError where there is more than the limit */
export function unpacked(unpack: () => Uint8Array, { left, spend }: Decoding): Uint8Array {
  try {
    const bytes = unpack()
    spend(bytes.length)
    return bytes
  } catch (error) {
    if (error instanceof RangeError) spend(left() + 1)
    if (error instanceof DecodeFault) throw error
    const why = error instanceof Error ? error.message : ''
    throw new DecodeFault(`this cannot be unpacked: ${why.slice(0, 200)}`)
  }
}

/**
 * Bytes written in base64 (RFC 4648), of the standard or the URL alphabet, with or without padding;
 * blanks and line breaks are passed over.
 * @throws DecodeFault for any other character
 */
export function decodeBase64(input: unknown, { spend }: Decoding): Uint8Array {
  const text = toText(input)
    .replace(/\s+/g, '')
    .replace(/={1,2}$/, '')
  const foreign = text.search(/[^A-Za-z0-9+/_-]/)
  if (foreign !== -1) {
    throw new DecodeFault(`this is no base64: it has a ${shown(text.charAt(foreign))}`)
  }
  if (text.length % 4 === 1) throw new DecodeFault('this is no base64: it is cut off')
  const bytes = Buffer.from(text, 'base64')
  spend(bytes.length)
  return bytes
}

/**
 * Bytes written in hexadecimal digits; blanks between them are passed over.
 * @throws DecodeFault for any other character, and for half a byte
 */
export function decodeHex(input: unknown, { spend }: Decoding): Uint8Array {
  const text = toText(input).replace(/\s+/g, '')
  if (text.length % 2 === 1 || /[^0-9a-f]/i.test(text)) {
    throw new DecodeFault('these are no bytes in hexadecimal digits')
  }
  const bytes = Buffer.from(text, 'hex')
  spend(bytes.length)
  return bytes
}
