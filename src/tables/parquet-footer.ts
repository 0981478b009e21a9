import { ByteWriter } from 'hyparquet-writer'
import type { KeyValue, ParquetWriter, SchemaElement } from 'hyparquet-writer'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import { membersOf } from './columns.ts'
import type { TypedColumn, Vector } from './columns.ts'
import type { Bounds } from './geometry.ts'

type RowGroup = ParquetWriter['row_groups'][number]

/** Content of a footer besides the row groups. */
type Described = {
  readonly schema: SchemaElement[]
  readonly rows: bigint
  readonly metadata?: KeyValue[] | undefined
}

/** Writes a footer with the library, and removes its length. */
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

/**
 * Returns the position of the list of row groups, which starts with its length. It is the first
 * byte that differs between footers without and with a row group.
 */
function placeOfGroups(described: Described): number {
  const [none, one] = [print(described, []), print(described, [anyGroup])]
  return none.findIndex((byte, place) => byte !== one[place])
}

/** Writes a row group as in the footer. The library writes all at once, which takes too long. */
export function printGroup(schema: SchemaElement[], group: RowGroup): Uint8Array {
  const described = { schema, rows: 0n }
  const place = placeOfGroups(described)
  const rest = print(described, []).length - place - 1
  const printed = print(described, [group])
  return printed.slice(place + 1, printed.length - rest)
}

const magic = Buffer.from('PAR1')

/** Writes the end of a file: the footer with the given row groups, and its length. */
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

/**
 * Writes the header of a list in Thrift's compact protocol. Unlike the library, it includes the
 * element type of an empty list.
 */
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

/** Types and bounds of the geometries of a column written so far. */
type Summary = { readonly types: Set<string>; bounds: Bounds | undefined }

/** Collects the places of a table as they are written, for the GeoParquet metadata at its end. */
export function notePlaces(columns: readonly TypedColumn[]) {
  const summaries = new Map(
    columns
      .filter(({ kind }) => kind === 'geometry')
      .map(({ name }): [string, Summary] => [name, { types: new Set(), bounds: undefined }]),
  )
  return {
    note: ({ name }: TypedColumn, vectors: readonly Vector[]): void => {
      const summary = summaries.get(name)
      if (summary === undefined) return
      for (const vector of vectors) {
        if (vector.shape !== 'geometries') continue
        for (const { type, bounds } of vector.shapes) {
          summary.types.add(type)
          summary.bounds = summary.bounds === undefined ? bounds : around(summary.bounds, bounds)
        }
      }
    },
    metadata: (): KeyValue[] | undefined => toMetadata(columns, summaries),
  }
}

function around(one: Bounds, other: Bounds): Bounds {
  const [low, high] = [one.low, one.high]
  return {
    low: [
      Math.min(low[0], other.low[0]),
      Math.min(low[1], other.low[1]),
      Math.min(low[2], other.low[2]),
    ],
    high: [
      Math.max(high[0], other.high[0]),
      Math.max(high[1], other.high[1]),
      Math.max(high[2], other.high[2]),
    ],
  }
}

/**
 * Describes places for map programs: GeoParquet 1.1, longitude first, in WGS 84 (OGC:CRS84, its
 * default).
 * @returns undefined without places, because the library would write an empty list without its
 * element type
 */
function toMetadata(
  columns: readonly TypedColumn[],
  summaries: ReadonlyMap<string, Summary>,
): KeyValue[] | undefined {
  const places = columns.flatMap((column) => {
    const summary = summaries.get(column.name)
    if (summary !== undefined) return [[column.name, describe(column, summary, columns)] as const]
    return column.kind === 'point' ? [[column.name, point] as const] : []
  })
  const [primary] = places
  if (primary === undefined) return undefined
  const geo = {
    version: '1.1.0',
    primary_column: primary[0],
    columns: Object.fromEntries(places),
  }
  return [{ key: 'geo', value: JSON.stringify(geo) }]
}

const point = { encoding: 'point', geometry_types: ['Point'] }

function describe(
  { cell }: TypedColumn,
  { types, bounds }: Summary,
  columns: readonly TypedColumn[],
) {
  const box = columns.find(({ kind, cell: { index } }) => kind === 'bbox' && index === cell.index)
  const covering = box && {
    bbox: Object.fromEntries(membersOf.bbox.map((side) => [side, [box.name, side]])),
  }
  const names = [...types].sort()
  return {
    encoding: 'WKB',
    geometry_types: names,
    ...(bounds === undefined ? {} : { bbox: toBox(bounds, names) }),
    ...(covering === undefined ? {} : { covering }),
  }
}

/** Returns the bounding box. It includes heights only if every geometry has them. */
function toBox({ low, high }: Bounds, types: readonly string[]): readonly number[] {
  const axes = types.every((type) => type.endsWith(' Z')) ? 3 : 2
  return [...low.slice(0, axes), ...high.slice(0, axes)]
}
