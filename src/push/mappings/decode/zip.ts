import { crc32, inflateRawSync } from 'node:zlib'
import { DecodeFault, shown } from './fault.ts'
import type { Decoding } from './limits.ts'
import { unpackLimit, unpacked } from './packed.ts'
import { toBytes } from './text.ts'

/** A file of an archive, not unpacked yet. */
type Entry = {
  readonly name: string
  readonly method: number
  readonly isEncrypted: boolean
  /** Where the local header of the file begins, and how many bytes it has, packed. */
  readonly offset: number
  readonly length: number
  /** Of the file, unpacked: how many bytes it has, and their CRC-32. */
  readonly size: number
  readonly checksum: number
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50

/** The record at the end of an archive, without its comment. */
const endLength = 22
const entryLength = 46
const localLength = 30

/**
 * Unpacks the files of a ZIP archive (APPNOTE 6.3, sections 4.3 and 4.4) that are asked for. Only what
 * is asked for is unpacked, stored or deflated; archives over 4 GiB are not read.
 * @throws DecodeFault for a file that is not in the archive or is damaged, and for what is no archive
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

/** The last record of the archive; a comment of up to 64 KiB may follow it. */
function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - endLength - 0xffff)
  for (let at = archive.length - endLength; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) === endSignature) return at
  }
  throw new DecodeFault('this is no ZIP archive')
}

function unpackEntry(archive: Buffer, entry: Entry, decoding: Decoding): Uint8Array {
  const { name, offset, length, isEncrypted } = entry
  assertHeader(archive, offset, { signature: localSignature, length: localLength })
  const extra = archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  const start = offset + localLength + extra
  const packed = archive.subarray(start, start + length)
  if (isEncrypted) throw new DecodeFault(`the file ${shown(name)} is encrypted`)
  const bytes = unpackBytes(packed, entry, decoding)
  // Bytes that are cut off or changed on the way may still unpack, or be stored as they are.
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

/** Whatever an archive says, nothing outside of it is read. */
function assertHeader(
  archive: Buffer,
  at: number,
  { signature, length }: { readonly signature: number; readonly length: number },
): void {
  if (at + length > archive.length || archive.readUInt32LE(at) !== signature) {
    throw new DecodeFault('the ZIP archive is damaged')
  }
}
