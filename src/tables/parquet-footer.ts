import { ByteWriter } from 'hyparquet-writer'
import type { KeyValue, ParquetWriter, SchemaElement } from 'hyparquet-writer'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'

type RowGroup = ParquetWriter['row_groups'][number]

/** What the footer of a file says beside its row groups. */
type Described = {
  readonly schema: SchemaElement[]
  readonly rows: bigint
  readonly metadata?: KeyValue[] | undefined
}

/** The footer as the library writes it, without its length. */
function print({ schema, rows, metadata }: Described, groups: RowGroup[]): Uint8Array {
  const bytes = new ByteWriter()
  const known = { version: 2, created_by: 'hub', schema, num_rows: rows, metadata_length: 0 }
  writeMetadata(bytes, {
    ...known,
    row_groups: groups,
    ...(metadata && { key_value_metadata: metadata }),
  })
  return bytes.getBytes().slice(0, -lengthOfLength)
}

const lengthOfLength = 4

const anyGroup: RowGroup = { columns: [], total_byte_size: 0n, num_rows: 0n }

/** Where the list of the row groups begins, with its length: there footers of none and of one differ first. */
function placeOfGroups(described: Described): number {
  const [none, one] = [print(described, []), print(described, [anyGroup])]
  return none.findIndex((byte, place) => byte !== one[place])
}

/** A row group as it stands in the footer. The library writes all of them at once, which takes too long. */
export function printGroup(schema: SchemaElement[], group: RowGroup): Uint8Array {
  const described = { schema, rows: 0n }
  const place = placeOfGroups(described)
  const rest = print(described, []).length - place - 1
  const printed = print(described, [group])
  return printed.slice(place + 1, printed.length - rest)
}

const magic = Buffer.from('PAR1')

/** The end of a file: its footer with the row groups that are printed, and its length. */
export function printFooter(described: Described, groups: readonly Uint8Array[]): Uint8Array {
  const place = placeOfGroups(described)
  const without = print(described, [])
  const footer = Buffer.concat([
    without.subarray(0, place),
    listOfStructs(groups.length),
    ...groups,
    without.subarray(place + 1),
  ])
  const length = Buffer.alloc(lengthOfLength)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([footer, length, magic])
}

const struct = 0x0c

/** How Thrift's compact protocol begins a list: also an empty one with the type of its elements, unlike the library. */
function listOfStructs(length: number): Uint8Array {
  if (length < 15) return Uint8Array.of((length << 4) | struct)
  const bytes = [0xf0 | struct]
  let rest = length
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  return Uint8Array.of(...bytes, rest)
}
