import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { SchemaElement } from 'hyparquet-writer'
import type { TextRow } from '../storage/index.ts'
import { isThere, membersOf, to64Bits } from './columns.ts'
import type { ColumnKind, Table, TableWriter, TypedColumn, Validity, Vector } from './columns.ts'
import { notePlaces } from './geo-metadata.ts'
import { gatherRows, vectorReaders } from './to-vector.ts'

/** Rows of a group at most; a larger one would take too long to be written. */
const largestGroup = 16_384

/** A Parquet file that is written row group by row group, and in a group column by column. */
function openParquet(columns: readonly TypedColumn[]) {
  const bytes = new ByteWriter()
  const schema = toSchema(columns)
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: 'hub' })
  const places = notePlaces(columns)

  /** What was written since the last time; the file counts on from there. */
  const take = (): Uint8Array => {
    const taken = Uint8Array.from(bytes.getBytes())
    bytes.index = 0
    return taken
  }

  /** @param parts vectors of some rows each, one for each column */
  function* writeGroup(parts: readonly (readonly Vector[])[]) {
    const before = { groups: file.row_groups.length, rows: file.num_rows }
    for (const [place, column] of columns.entries()) {
      places.note(
        column,
        parts.flatMap((vectors) => vectors[place] ?? []),
      )
      void file.write({
        columnData: [sourceOf(column, place, parts)],
        rowGroupSize: largestGroup * 2,
      })
      yield take()
    }
    joinGroups(file, before)
  }

  const finish = (): Uint8Array => {
    file.kvMetadata = places.metadata()
    // Not before: the library would print texts as JSON once more.
    file.schema = schema.map(withConvertedJson)
    void file.finish()
    const footer = take()
    return file.row_groups.length === 0 ? withTypedList(footer) : footer
  }
  return { begin: take, writeGroup, finish }
}

function sourceOf(
  { name, kind }: TypedColumn,
  place: number,
  parts: readonly (readonly Vector[])[],
) {
  const data = parts.flatMap((vectors) => {
    const vector = vectors[place]
    return vector === undefined ? [] : toValues(vector, kind)
  })
  // The smallest and the largest JSON would stand in the footer at full length.
  return { name, data, statistics: !kind.endsWith('json') && kind !== 'geometry' }
}

/**
 * The library writes all columns of a group at once, which holds up others for too long. So each was
 * written as a group of its own; in the footer they are put together.
 */
function joinGroups(
  file: ParquetWriter,
  before: { readonly groups: number; readonly rows: bigint },
): void {
  const columns = file.row_groups.splice(before.groups)
  const [first] = columns
  if (first === undefined) return
  const sum = (sizes: readonly (bigint | undefined)[]) =>
    sizes.reduce<bigint>((total, size) => total + (size ?? 0n), 0n)
  file.row_groups.push({
    columns: columns.flatMap((group) => group.columns),
    num_rows: first.num_rows,
    total_byte_size: sum(columns.map((group) => group.total_byte_size)),
    total_compressed_size: sum(columns.map((group) => group.total_compressed_size)),
  })
  file.num_rows = before.rows + first.num_rows
}

/** In the footer: there are no rows (0), and then comes the list of the row groups, which is empty. */
const noGroups = [0x16, 0x00, 0x19, 0x00]
const emptyListOfStructs = 0x0c

/** The library writes an empty list without the type of its elements, which strict readers refuse. */
function withTypedList(footer: Uint8Array): Uint8Array {
  const place = Buffer.from(footer).lastIndexOf(Buffer.from(noGroups))
  if (place !== -1) footer[place + noGroups.length - 1] = emptyListOfStructs
  return footer
}

/** The schema of a Parquet file, the elements of a point behind it. Any column may be null. */
function toSchema(columns: readonly TypedColumn[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)]
}

function elementsOf({ name, kind }: TypedColumn): readonly SchemaElement[] {
  const element = { name, repetition_type: 'OPTIONAL' } as const
  switch (kind) {
    case 'number':
      return [{ ...element, type: 'DOUBLE' }]
    case 'integer':
      return [{ ...element, type: 'INT32' }]
    case 'bigint':
      return [{ ...element, type: 'INT64' }]
    case 'boolean':
      return [{ ...element, type: 'BOOLEAN' }]
    case 'time':
      return [{ ...element, type: 'INT64', ...milliseconds }]
    case 'point':
    case 'bbox':
      return [
        { ...element, num_children: membersOf[kind].length },
        ...membersOf[kind].map((axis) => ({ ...number, name: axis })),
      ]
    case 'geometry':
      return [{ ...element, type: 'BYTE_ARRAY' }]
    case 'text':
      return [{ ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8' }]
    case 'json':
    case 'geojson':
      return [{ ...element, type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } }]
  }
}

/** Readers such as DuckDB know JSON by its older name only. */
function withConvertedJson(element: SchemaElement): SchemaElement {
  return element.logical_type?.type === 'JSON' ? { ...element, converted_type: 'JSON' } : element
}

const milliseconds = {
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const

const number = { type: 'DOUBLE', repetition_type: 'REQUIRED' } as const

/** A value as the library for Parquet takes it. */
type Value = number | bigint | boolean | string | Uint8Array | Struct | null
type Struct = Readonly<Record<string, number>>

/** The values of a vector, one for each row. */
function toValues(vector: Vector, kind: ColumnKind): readonly Value[] {
  switch (vector.shape) {
    case 'numbers':
      return numbers(vector, kind)
    case 'structs':
      return structs(vector, kind === 'bbox' ? 'bbox' : 'point')
    case 'geometries':
    case 'texts':
      return vector.values
    case 'shared': {
      const { places, validity, texts } = vector
      return whereThere(
        validity,
        Array.from(places, (place) => texts[place] ?? null),
      )
    }
  }
}

function numbers(
  { values, validity }: Extract<Vector, { shape: 'numbers' }>,
  kind: ColumnKind,
): readonly Value[] {
  switch (kind) {
    case 'time':
    case 'bigint':
      return whereThere(validity, Array.from(to64Bits(values)))
    case 'boolean':
      return whereThere(
        validity,
        Array.from(values, (value) => value !== 0),
      )
    default:
      return whereThere(validity, Array.from(values))
  }
}

function structs(
  { members, validity }: Extract<Vector, { shape: 'structs' }>,
  kind: keyof typeof membersOf,
): readonly Value[] {
  const names = membersOf[kind]
  const toStruct = (_: number, row: number) =>
    Object.fromEntries(names.map((name, place) => [name, members[place]?.[row] ?? 0]))
  return whereThere(validity, Array.from(members[0] ?? [], toStruct))
}

function whereThere(validity: Validity, values: Value[]): readonly Value[] {
  if (validity.nulls === 0) return values
  return values.map((value, row) => (isThere(validity, row) ? value : null))
}

/**
 * Writes rows as a Parquet file: row groups as soon as they are full, and at the end the footer that
 * says where each is. All that is held is one group as vectors and some hundred bytes for each column of
 * those that were written.
 */
export function parquetWriter({ columns, showNull }: Omit<Table, 'zone'>): TableWriter {
  const readers = vectorReaders(columns)
  // Each group has a dictionary of its own.
  const gathered = gatherRows({ columns, showNull, sharedTexts: 'in each piece' })
  const file = openParquet(columns)
  let [parts, rowsOfParts]: [(readonly Vector[])[], number] = [[], 0]

  /** One column at a time, so that others have their turn in between. */
  function* readVectors(rows: readonly TextRow[]) {
    const vectors: Vector[] = []
    for (const read of readers) {
      vectors.push(read(rows))
      yield nothing
    }
    parts.push(vectors)
    rowsOfParts += rows.length
  }

  function* writeParts() {
    const written = parts
    ;[parts, rowsOfParts] = [[], 0]
    yield* file.writeGroup(written)
  }

  return {
    begin: () => [file.begin()],
    *rows(rows) {
      gathered.add(rows)
      if (!gathered.isEnough()) return
      yield* readVectors(gathered.take())
      if (rowsOfParts >= largestGroup || parts.length >= mostParts) yield* writeParts()
    },
    *end() {
      const rows = gathered.take()
      if (rows.length > 0) yield* readVectors(rows)
      if (rowsOfParts > 0) yield* writeParts()
      yield file.finish()
    },
  }
}

/**
 * Maximum number of parts of a group. Each has a limited number of characters, or one row (`gatherRows`); to
 * write a column of 2 million takes some 35 ms.
 */
const mostParts = 2

const nothing = new Uint8Array()
