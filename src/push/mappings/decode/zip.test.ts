import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decodePayload } from './decode-payload.ts'
import type { DecodeStep } from './steps.ts'

const decode = (body: string | Uint8Array, ...steps: DecodeStep[]) =>
  decodePayload(typeof body === 'string' ? Buffer.from(body) : body, steps, {
    maxBytes: 100_000,
    maxDepth: 20,
  })

describe('zip', () => {
  it('decodes the files that it names', () => {
    const body = zipOf({ 'stops.txt': 'id,name\n1,Brixen\n', 'other.bin': '\0', 'a.json': '[1]' })
    expect(decode(body, { zip: { 'stops.txt': ['csv'], 'a.json': ['json'] } })).toEqual({
      'stops.txt': [{ id: '1', name: 'Brixen' }],
      'a.json': [1],
    })
  })

  it('is refused if a file is missing, it is damaged or it expands beyond the limit', () => {
    const body = zipOf({ 'a.json': '[1]', 'big.txt': 'x'.repeat(100_001) })
    expect(() => decode(body, { zip: { 'b.json': ['json'] } })).toThrow(
      'zip: the archive has no file "b.json"',
    )
    expect(() => decode(body, { zip: { 'big.txt': ['text'] } })).toThrow(/more than 100000 bytes/)
    expect(() => decode('no archive at all, but long enough', { zip: {} })).toThrow(
      /not a valid ZIP archive/,
    )
    const damaged = Buffer.from(body)
    damaged.writeUInt32LE(0xfffffff0, damaged.length - 6)
    expect(() => decode(damaged, { zip: { 'a.json': ['json'] } })).toThrow(/damaged/)
  })

  it.each(['stored', 'deflated'] as const)('is refused when a %s file was changed', (packing) => {
    const body = zipOf({ 'a.txt': 'abc', 'b.txt': 'abcabc' }, packing)
    const all = { zip: { 'a.txt': ['text'], 'b.txt': ['text'] } } satisfies DecodeStep
    expect(decode(body, all)).toEqual({ 'a.txt': 'abc', 'b.txt': 'abcabc' })
    const first = 30 + 'a.txt'.length
    const [changed, shorter] = [Buffer.from(body), Buffer.from(body)]
    changed[first + 1] = (changed[first + 1] ?? 0) ^ 1
    expect(() => decode(changed, all)).toThrow(/"a.txt" is damaged|cannot be decompressed/)
    shorter.writeUInt32LE(2, shorter.indexOf('PK\x01\x02') + (packing === 'stored' ? 20 : 24))
    expect(() => decode(shorter, all)).toThrow('the file "a.txt" is damaged')
    expect(decode(shorter, { zip: { 'b.txt': ['text'] } })).toEqual({ 'b.txt': 'abcabc' })
  })
})

/** Builds a ZIP archive. */
function zipOf(
  files: Readonly<Record<string, string>>,
  packing: 'stored' | 'deflated' = 'deflated',
): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const packed = packing === 'stored' ? Buffer.from(text) : deflateRawSync(text)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(name.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50)
    central.writeUInt16LE(packing === 'stored' ? 0 : 8, 10)
    central.writeUInt32LE(crc32(text), 16)
    central.writeUInt32LE(packed.length, 20)
    central.writeUInt32LE(Buffer.byteLength(text), 24)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt32LE(offset, 42)
    locals.push(local, Buffer.from(name), packed)
    centrals.push(central, Buffer.from(name))
    offset += local.length + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...centrals, end])
}
