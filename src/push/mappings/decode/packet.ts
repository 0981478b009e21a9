import { Type } from 'typebox'
import type { Static } from 'typebox'
import { DecodeFault } from './fault.ts'
import { toBytes } from './text.ts'

type Reader = (packet: Buffer, offset: number) => number

/** How a number stands in a packet: `be` with its highest byte first, `le` with its lowest. */
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
  { description: 'How each number stands in the packet, and from which byte on' },
)
export type Packet = Static<typeof Packet>

/**
 * The numbers of a packet of bytes, such as sensors send.
 * @throws DecodeFault for a packet that is too short
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
