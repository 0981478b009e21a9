import { crc32, gunzipSync, inflateRawSync } from 'node:zlib'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { DecodeFault, shown, toBytes, toText } from './text.ts'
import type { Decoding } from './text.ts'

/**
 * Decompresses gzip.
 * @throws DecodeFault for anything that is not gzip, and for more bytes than may be unpacked
 */
export function decodeGzip(input: unknown, decoding: Decoding): Uint8Array {
  const bytes = toBytes(input)
  return unpacked(() => gunzipSync(bytes, unpackLimit(decoding)), decoding)
}

/** Returns the limit of unpacked bytes, which is checked before memory is allocated. */
const unpackLimit = ({ left }: Decoding) => ({ maxOutputLength: Math.max(1, left()) })

/** @param unpack throws a RangeError if there is more than the limit */
function unpacked(unpack: () => Uint8Array, { left, spend }: Decoding): Uint8Array {
  try {
    const bytes = unpack()
    spend(bytes.length)
    return bytes
  } catch (error) {
    if (error instanceof RangeError) spend(left() + 1)
    if (error instanceof DecodeFault) throw error
    const why = error instanceof Error ? error.message : ''
    throw new DecodeFault(`this cannot be decompressed: ${why.slice(0, 200)}`)
  }
}

/**
 * Decodes base64 (RFC 4648) in the standard or the URL-safe alphabet, with or without padding.
 * White space is ignored.
 * @throws DecodeFault for any other character, and for text that is cut off
 */
export function decodeBase64(input: unknown, { spend }: Decoding): Uint8Array {
  const text = toText(input)
    .replace(/\s+/g, '')
    .replace(/={1,2}$/, '')
  const foreign = text.search(/[^A-Za-z0-9+/_-]/)
  if (foreign !== -1) {
    throw new DecodeFault(`this is not valid base64: it has a ${shown(text.charAt(foreign))}`)
  }
  if (text.length % 4 === 1) throw new DecodeFault('this is not valid base64: it is cut off')
  const bytes = Buffer.from(text, 'base64')
  spend(bytes.length)
  return bytes
}

/**
 * Decodes hexadecimal digits. White space is ignored.
 * @throws DecodeFault for any other character, and for an odd number of digits
 */
export function decodeHex(input: unknown, { spend }: Decoding): Uint8Array {
  const text = toText(input).replace(/\s+/g, '')
  if (text.length % 2 === 1 || /[^0-9a-f]/i.test(text)) {
    throw new DecodeFault('these are not bytes in hexadecimal digits')
  }
  const bytes = Buffer.from(text, 'hex')
  spend(bytes.length)
  return bytes
}

type Reader = (packet: Buffer, offset: number) => number

/** Types of numbers in a packet: `be` has the highest byte first, `le` the lowest. */
const readers: ReadonlyMap<string, readonly [bytes: number, read: Reader]> = new Map([
  ['uint8', [1, (packet, offset) => packet.readUInt8(offset)]],
  ['int8', [1, (packet, offset) => packet.readInt8(offset)]],
  ['uint16be', [2, (packet, offset) => packet.readUInt16BE(offset)]],
  ['uint16le', [2, (packet, offset) => packet.readUInt16LE(offset)]],
  ['int16be', [2, (packet, offset) => packet.readInt16BE(offset)]],
  ['int16le', [2, (packet, offset) => packet.readInt16LE(offset)]],
  ['uint32be', [4, (packet, offset) => packet.readUInt32BE(offset)]],
  ['uint32le', [4, (packet, offset) => packet.readUInt32LE(offset)]],
  ['int32be', [4, (packet, offset) => packet.readInt32BE(offset)]],
  ['int32le', [4, (packet, offset) => packet.readInt32LE(offset)]],
])

export const Packet = Type.Record(
  Type.String({ minLength: 1, maxLength: 255 }),
  Type.Tuple([
    Type.Enum([...readers.keys()]),
    Type.Integer({ minimum: 0, maximum: 65_535, description: 'First byte, from 0' }),
  ]),
  { description: 'Type of each number in the packet, and its first byte' },
)
export type Packet = Static<typeof Packet>

/**
 * Reads the numbers of a packet of bytes, such as sensors send.
 * @throws DecodeFault if the packet is too short
 */
export function decodePacket(input: unknown, fields: Packet): unknown {
  const bytes = toBytes(input)
  const packet = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const numbers = Object.entries(fields).map(([name, [type, offset]]): [string, number] => {
    const [length, read] = readers.get(type) ?? [Infinity, () => 0]
    if (offset + length > packet.length) {
      throw new DecodeFault(`the packet has ${packet.length} bytes, too few for ${name}`)
    }
    return [name, read(packet, offset)]
  })
  return Object.fromEntries(numbers)
}

type Entry = {
  readonly name: string
  readonly method: number
  readonly isEncrypted: boolean
  /** Offset of the file's local header, and size of the compressed file in bytes. */
  readonly offset: number
  readonly length: number
  /** Size of the uncompressed file in bytes, and its CRC-32. */
  readonly size: number
  readonly checksum: number
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50

/** Bytes of the record at the end of an archive, without its comment. */
const endLength = 22
const entryLength = 46
const localLength = 30

/**
 * Unpacks the requested files of a ZIP archive (APPNOTE 6.3, sections 4.3 and 4.4), which must be
 * stored or deflated. No other files are unpacked. Archives over 4 GiB are not supported.
 * @throws DecodeFault for a file that is missing, damaged or not supported, and for anything that
 *   is not an archive
 */
export function unzip(
  input: unknown,
  names: readonly string[],
  decoding: Decoding,
): ReadonlyMap<string, Uint8Array> {
  const bytes = toBytes(input)
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries = new Map<string, Entry>()
  for (const entry of entriesOf(archive)) entries.set(entry.name, entry)
  const files = names.map((name): [string, Uint8Array] => {
    const entry = entries.get(name)
    if (entry === undefined) throw new DecodeFault(`the archive has no file ${shown(name)}`)
    return [name, unpackEntry(archive, entry, decoding)]
  })
  return new Map(files)
}

function* entriesOf(archive: Buffer): Generator<Entry, void, undefined> {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    assertHeader(archive, at, { signature: entrySignature, length: entryLength })
    const nameLength = archive.readUInt16LE(at + 28)
    yield {
      name: archive.toString('utf8', at + entryLength, at + entryLength + nameLength),
      method: archive.readUInt16LE(at + 10),
      isEncrypted: (archive.readUInt16LE(at + 8) & 1) === 1,
      offset: archive.readUInt32LE(at + 42),
      length: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      checksum: archive.readUInt32LE(at + 16),
    }
    const extra = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
    at += entryLength + nameLength + extra
  }
}

/**
 * Returns the offset of the last record of the archive. A comment of up to 64 KiB may follow it.
 */
function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - endLength - 0xffff)
  for (let at = archive.length - endLength; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) === endSignature) return at
  }
  throw new DecodeFault('this is not a valid ZIP archive')
}

function unpackEntry(archive: Buffer, entry: Entry, decoding: Decoding): Uint8Array {
  const { name, offset, length, isEncrypted } = entry
  assertHeader(archive, offset, { signature: localSignature, length: localLength })
  const extra = archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  const start = offset + localLength + extra
  const packed = archive.subarray(start, start + length)
  if (isEncrypted) throw new DecodeFault(`the file ${shown(name)} is encrypted`)
  const bytes = unpackBytes(packed, entry, decoding)
  // Bytes that were truncated or altered may still unpack, or be stored without compression.
  if (bytes.length !== entry.size || crc32(bytes) !== entry.checksum) {
    throw new DecodeFault(`the file ${shown(name)} is damaged: it is not what its checksum says`)
  }
  return bytes
}

function unpackBytes(packed: Buffer, { name, method }: Entry, decoding: Decoding): Uint8Array {
  if (method === 0) return unpacked(() => packed, decoding)
  if (method === 8) return unpacked(() => inflateRawSync(packed, unpackLimit(decoding)), decoding)
  throw new DecodeFault(`the file ${shown(name)} is packed by method ${String(method)}`)
}

/**
 * Asserts that a header is inside the archive, so that nothing outside is read, whatever the
 * entries state.
 */
function assertHeader(
  archive: Buffer,
  at: number,
  { signature, length }: { readonly signature: number; readonly length: number },
): void {
  if (at + length > archive.length || archive.readUInt32LE(at) !== signature) {
    throw new DecodeFault('the ZIP archive is damaged')
  }
}
