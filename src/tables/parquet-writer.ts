import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { SchemaElement } from 'hyparquet-writer'
import { writeIndexes } from 'hyparquet-writer/src/indexes.js'
import type { TextRow } from '../storage/index.ts'
import { gatherPieces } from './column-pieces.ts'
import { isEmpty, isThere, membersOf, to64Bits } from './columns.ts'
import { compression } from './compression.ts'
import type { ColumnKind, Table, TableWriter, TypedColumn, Validity, Vector } from './columns.ts'
import { notePlaces, printFooter, printGroup } from './parquet-footer.ts'
import { gatherRows, vectorReaders } from './to-vector.ts'

/** Maximum number of rows in a group. Writing a larger one would take too long. */
const maxGroupSize = 16_384

/** A Parquet file that is written row group by row group, and within a group column by column. */
function openParquet(columns: readonly TypedColumn[]) {
  const bytes = new ByteWriter()
  const file = new ParquetWriter({ writer: bytes, schema: [], createdBy: 'hub', ...compression })
  // The library walks its whole schema for each column that it writes, so each gets its own.
  const schemas = columns.map((column) => toSchema([column]))
  const places = notePlaces(columns)
  const schema = toSchema(columns).map(withConvertedJson)
  /** Row groups as written to the footer. */
  const printed: Uint8Array[] = []

  /** Returns the bytes written since the last call. Offsets in the file continue from there. */
  const take = (): Uint8Array => {
    const taken = Uint8Array.from(bytes.getBytes())
    bytes.index = 0
    return taken
  }

  /** Adds a group whose chunks were written elsewhere, after everything written so far. */
  const addGroup = (columns: RowGroup['columns'], rows: number): void => {
    const sizes = columns.map(({ meta_data }) => meta_data)
    const group = {
      columns,
      num_rows: BigInt(rows),
      total_byte_size: sumOf(sizes, (data) => data?.total_uncompressed_size),
      total_compressed_size: sumOf(sizes, (data) => data?.total_compressed_size),
    }
    printed.push(printGroup(schema, group))
    file.num_rows += group.num_rows
  }

  function* finish() {
    writeIndexes(bytes, file.pendingIndexes)
    for (const group of file.row_groups) {
      printed.push(printGroup(schema, group))
      yield nothing
    }
    yield take()
    yield printFooter({ schema, rows: file.num_rows, metadata: places.metadata() }, printed)
  }

  return { columns, schemas, file, bytes, places, take, addGroup, finish }
}

type ParquetFile = ReturnType<typeof openParquet>

/** @param parts vectors of some rows each, one for each column */
function* writeGroup(
  parts: readonly Part[],
  { columns, schemas, file, places, take }: ParquetFile,
) {
  const before = { groups: file.row_groups.length, rows: file.num_rows }
  for (const [place, column] of columns.entries()) {
    places.note(
      column,
      parts.flatMap(({ vectors }) => vectors[place] ?? []),
    )
    file.schema = schemas[place] ?? []
    void file.write({
      columnData: [sourceOf(column, place, parts)],
      rowGroupSize: maxGroupSize * 2,
    })
    yield take()
  }
  joinGroups(file, before)
}

type RowGroup = ParquetWriter['row_groups'][number]

/** Vectors of some rows, one for each column. */
type Part = { readonly vectors: readonly Vector[]; readonly rows: number }

const sumOf = <Item>(items: readonly Item[], sizeOf: (item: Item) => bigint | undefined) =>
  items.reduce<bigint>((total, item) => total + (sizeOf(item) ?? 0n), 0n)

function sourceOf({ name, kind }: TypedColumn, place: number, parts: readonly Part[]) {
  const data = parts.flatMap(({ vectors }) => {
    const vector = vectors[place]
    return vector === undefined ? [] : toValues(vector, kind)
  })
  // As statistics, the smallest and the largest JSON would be in the footer at full length.
  return { name, data, statistics: !kind.endsWith('json') && kind !== 'geometry' }
}

/**
 * Joins groups of one column each into one group. The library writes all columns of a group at
 * once, which blocks other requests for too long, so each column was written as a group of its own.
 */
function joinGroups(
  file: ParquetWriter,
  before: { readonly groups: number; readonly rows: bigint },
): void {
  const columns = file.row_groups.splice(before.groups)
  const [first] = columns
  if (first === undefined) return
  file.row_groups.push({
    columns: columns.flatMap((group) => group.columns),
    num_rows: first.num_rows,
    total_byte_size: sumOf(columns, (group) => group.total_byte_size),
    total_compressed_size: sumOf(columns, (group) => group.total_compressed_size),
  })
  file.num_rows = before.rows + first.num_rows
}

/**
 * Returns the schema of a Parquet file. A column of several numbers is followed by its members. Any
 * column may be null.
 */
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
    case 'instant':
      return [{ ...element, type: 'INT64', ...microseconds }]
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

/**
 * Adds the older name of the JSON type, the only one that readers such as DuckDB support. It is set
 * in the footer only, because the library would encode texts of this type as JSON again.
 */
function withConvertedJson(element: SchemaElement): SchemaElement {
  return element.logical_type?.type === 'JSON' ? { ...element, converted_type: 'JSON' } : element
}

const milliseconds = {
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const

const microseconds = {
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
} as const

const number = { type: 'DOUBLE', repetition_type: 'REQUIRED' } as const

/** A value in the form that the Parquet library accepts. */
type Value = number | bigint | boolean | string | Uint8Array | Struct | null
type Struct = Readonly<Record<string, number>>

/** Returns the values of a vector, one per row. */
function toValues(vector: Vector, kind: ColumnKind): readonly Value[] {
  switch (vector.shape) {
    case 'none':
      return Array.from<null>({ length: vector.rows }).fill(null)
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
    case 'instant':
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
 * Writes rows as a Parquet file: row groups as soon as they are full, and finally the footer with
 * their positions. Memory holds one group, as vectors or compressed, and some hundred bytes for
 * each column of the groups already written.
 */
export function parquetWriter(table: Omit<Table, 'zone'>): TableWriter {
  const { columns, showNull, hasLongRows = false } = table
  const readers = vectorReaders(columns)
  // Each group has its own dictionary.
  const gathered = gatherRows({ columns, showNull, sharedTexts: 'in each piece' })
  const file = openParquet(columns)
  const write = hasLongRows ? longGroups(file) : shortGroups(file)

  /** Processes one column at a time, so that other requests get their turn in between. */
  function* add(rows: readonly TextRow[]) {
    const vectors: Vector[] = []
    for (const read of readers) {
      vectors.push(read(rows))
      yield nothing
    }
    yield* write.add({ vectors, rows: rows.length })
  }

  return {
    begin: () => [file.take()],
    *rows(rows) {
      gathered.add(rows)
      yield nothing
      if (gathered.isEnough()) yield* add(gathered.take())
    },
    *end() {
      const rows = gathered.take()
      if (rows.length > 0) yield* add(rows)
      yield* write.end()
      yield* file.finish()
    },
  }
}

/** Writes groups of a few parts, each column in one piece. */
function shortGroups(file: ParquetFile) {
  let parts: Part[] = []
  function* end() {
    const written = parts
    parts = []
    if (written.length > 0) yield* writeGroup(written, file)
  }
  return {
    *add(part: Part) {
      parts.push(part)
      const rows = parts.reduce((sum, one) => sum + one.rows, 0)
      if (rows >= maxGroupSize || parts.length >= maxParts) yield* end()
    },
    end,
  }
}

/** Writes groups of many compressed parts. In a group of one part, each column is one piece. */
function longGroups(file: ParquetFile) {
  const pieces = gatherPieces()
  let last: Part | undefined
  function* end() {
    if (last === undefined) return
    if (pieces.rows() === 0) yield* writeGroup([last], file)
    else {
      yield* compress(last, pieces, file)
      yield* writePieces(pieces, file)
    }
    last = undefined
  }
  return {
    *add(part: Part) {
      if (last !== undefined) yield* compress(last, pieces, file)
      last = part
      if (pieces.size() >= maxBytes) yield* end()
    },
    end,
  }
}

type Pieces = ReturnType<typeof gatherPieces>

function* compress(part: Part, pieces: Pieces, file: ParquetFile) {
  for (const [place, column] of file.columns.entries()) {
    const vector = part.vectors[place]
    if (vector === undefined || isEmpty(vector)) {
      pieces.appendNulls(column.name, part.rows)
      continue
    }
    file.places.note(column, [vector])
    yield* pieces.append(sourceOf(column, place, [part]), file.schemas[place] ?? [])
    yield nothing
  }
  pieces.addRows(part.rows)
}

function* writePieces(pieces: Pieces, { columns, schemas, bytes, take, addGroup }: ParquetFile) {
  const chunks: RowGroup['columns'] = []
  yield take()
  for (const [place, column] of columns.entries()) {
    const taken = pieces.take(sourceOf(column, place, []), schemas[place] ?? [])
    for (const { pages, metadata } of taken) {
      const offset = BigInt(bytes.offset)
      for (const page of pages) {
        // Only counts the bytes: writing them to the file would hold the column in memory again.
        bytes.offset += page.byteLength
        yield page
      }
      chunks.push({ file_offset: offset, meta_data: { ...metadata, data_page_offset: offset } })
    }
    yield nothing
  }
  addGroup(chunks, pieces.end())
}

/**
 * Maximum number of parts in a group. Each part has a limited number of characters, or one row
 * (`gatherRows`). Writing a column of 2 million characters takes some 35 ms.
 */
const maxParts = 2

/** Maximum size of a group that is compressed as it grows, which is held in memory. */
const maxBytes = 16_000_000

const nothing = new Uint8Array()
