import { ByteWriter } from 'hyparquet-writer'
import type { KeyValue, ParquetWriter, SchemaElement } from 'hyparquet-writer'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'
import { membersOf } from './columns.ts'
import type { TypedColumn, Vector } from './columns.ts'
import type { Bounds } from './geometry.ts'

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

/** What the geometries of a column are, as far as they are written. */
type Summary = { readonly types: Set<string>; bounds: Bounds | undefined }

/** Sees the places of a table as they are written, for the metadata of GeoParquet at its end. */
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
 * Marks places for map programs: GeoParquet 1.1, longitude first, in WGS 84 (OGC:CRS84, its default).
 * @returns undefined when there are none: an empty list would be written without the type of its elements
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

/** With heights only where every geometry has them. */
function toBox({ low, high }: Bounds, types: readonly string[]): readonly number[] {
  const axes = types.every((type) => type.endsWith(' Z')) ? 3 : 2
  return [...low.slice(0, axes), ...high.slice(0, axes)]
}
