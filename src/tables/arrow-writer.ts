import {
  AsyncByteQueue,
  Binary,
  Bool,
  DataType,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  TimestampMillisecond,
  Utf8,
  Vector as ArrowVector,
  makeData,
} from 'apache-arrow'
import type { Data } from 'apache-arrow'
import type { TextRow } from '../storage/index.ts'
import { membersOf, to64Bits } from './columns.ts'
import type { Table, TableWriter, TypedColumn, Validity, Vector } from './columns.ts'
import { gatherRows, isShared, vectorReaders } from './to-vector.ts'

/** Writes rows as an Arrow stream: the schema, then one record batch after the other. */
export function arrowWriter({ columns, showNull, zone }: Table): TableWriter {
  const schema = toSchema(columns, zone)
  const readers = vectorReaders(columns)
  const gathered = gatherRows({ columns, showNull, sharedTexts: 'once' })
  const { writer, take } = openStream()

  /** Processes one column at a time, so that other requests get their turn in between. */
  function* writeBatch(rows: readonly TextRow[]) {
    const children: Data[] = []
    for (const [place, { type }] of schema.fields.entries()) {
      const vector = readers[place]?.(rows)
      if (vector !== undefined) children.push(toData(vector, type))
      yield nothing
    }
    const type = new Struct(schema.fields)
    writer.write(new RecordBatch(schema, makeData({ type, length: rows.length, children })))
    yield take()
  }

  return {
    begin: () => {
      writer.reset(undefined, schema)
      return [take()]
    },
    *rows(rows) {
      gathered.add(rows)
      yield nothing
      if (gathered.isEnough()) yield* writeBatch(gathered.take())
    },
    *end() {
      const rows = gathered.take()
      if (rows.length > 0) yield* writeBatch(rows)
      writer.finish()
      yield take()
    },
  }
}

const nothing = new Uint8Array()

/** Opens a writer whose bytes can be taken at once, so that none queue up for a slow reader. */
function openStream() {
  let pieces: Uint8Array[] = []
  const write = (piece: Uint8Array) => {
    pieces.push(piece)
  }
  const writer = new RecordBatchStreamWriter()
  writer.reset(Object.assign(new AsyncByteQueue(), { write }))
  const take = (): Uint8Array => {
    const taken = Buffer.concat(pieces)
    pieces = []
    return taken
  }
  return { writer, take }
}

/** Converts a vector to the buffers of an Arrow type. */
function toData(vector: Vector, type: DataType): Data {
  switch (vector.shape) {
    case 'none':
      return none(vector.rows, type)
    case 'numbers':
      return numbers(vector, type)
    case 'structs': {
      const { members, validity } = vector
      if (!DataType.isStruct(type))
        throw new TypeError('Numbers that belong together are a struct.')
      const children = members.map((data) => makeData({ type: new Float64(), data }))
      const length = members[0]?.length ?? 0
      return makeData({ type, length, ...nullsOf(validity), children })
    }
    case 'geometries':
      return binaries(vector.values)
    case 'texts':
      return texts(vector.values)
    case 'shared': {
      const { places: data, validity } = vector
      if (!DataType.isDictionary(type)) throw new TypeError('Shared texts are a dictionary.')
      const dictionary = dictionaryOf(vector.texts)
      return makeData({ type, length: data.length, ...nullsOf(validity), data, dictionary })
    }
  }
}

/** Makes a column of nulls only. */
function none(length: number, type: DataType): Data {
  const validity = { bits: new Uint8Array(Math.ceil(length / 8)), nulls: length }
  const values = new Float64Array(length)
  const placed = { length, ...nullsOf(validity), valueOffsets: new Int32Array(length + 1) }
  if (DataType.isUtf8(type)) return makeData({ type, ...placed, data: nothing })
  if (DataType.isBinary(type)) return makeData({ type, ...placed, data: nothing })
  if (!DataType.isStruct(type)) return numbers({ shape: 'numbers', values, validity }, type)
  return toData({ shape: 'structs', members: type.children.map(() => values), validity }, type)
}

function numbers(
  { values, validity }: Extract<Vector, { shape: 'numbers' }>,
  type: DataType,
): Data {
  const rest = { length: values.length, ...nullsOf(validity) }
  if (DataType.isTimestamp(type)) return makeData({ type, data: to64Bits(values), ...rest })
  if (DataType.isBool(type)) return makeData({ type, data: bitsOf(values), ...rest })
  if (!DataType.isInt(type)) return makeData({ type: new Float64(), data: values, ...rest })
  return type.bitWidth === 64
    ? makeData({ type, data: to64Bits(values), ...rest })
    : makeData({ type: new Int32(), data: Int32Array.from(values), ...rest })
}

function nullsOf({ bits, nulls }: Validity) {
  return nulls === 0 ? { nullCount: 0 } : { nullCount: nulls, nullBitmap: bits }
}

/** Packs values into bits, lowest first: 1 for a value other than 0. */
function bitsOf(values: Float64Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8))
  values.forEach((value, place) => {
    if (value !== 0) bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
  })
  return bits
}

/** Concatenates texts in UTF-8. */
function texts(values: readonly (string | null)[]): Data<Utf8> {
  const placed = placeValues(values, (value) => Buffer.byteLength(value))
  return makeData({ type: new Utf8(), ...placed, data: Buffer.from(values.join('')) })
}

function binaries(values: readonly (Uint8Array | null)[]): Data<Binary> {
  const placed = placeValues(values, ({ byteLength }) => byteLength)
  const data = Buffer.concat(values.filter((value) => value !== null))
  return makeData({ type: new Binary(), ...placed, data })
}

/** Computes the offsets of concatenated values, and which of them are null. */
function placeValues<Value>(values: readonly (Value | null)[], lengthOf: (value: Value) => number) {
  const valueOffsets = new Int32Array(values.length + 1)
  const bits = new Uint8Array(Math.ceil(values.length / 8))
  let [end, nulls] = [0, 0]
  values.forEach((value, place) => {
    if (value === null) nulls += 1
    else {
      end += lengthOf(value)
      bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
    }
    valueOffsets[place + 1] = end
  })
  return { length: values.length, valueOffsets, ...nullsOf({ bits, nulls }) }
}

/** Dictionaries by list, so that an unchanged list of shared texts is written once. */
const dictionaries = new WeakMap<readonly string[], ArrowVector<Utf8>>()

function dictionaryOf(list: readonly string[]): ArrowVector<Utf8> {
  const known = dictionaries.get(list)
  if (known !== undefined) return known
  const made = new ArrowVector([texts(list)])
  dictionaries.set(list, made)
  return made
}

/**
 * Returns the schema of an Arrow stream, which is fixed before its first row. Any field may be
 * null.
 * @param zone time zone in which times are shown
 */
function toSchema(columns: readonly TypedColumn[], zone: string): Schema<Record<string, DataType>> {
  const fields = columns.map((column, place) => {
    const type = typeOf(column, zone)
    const stored = isShared(column) ? new Dictionary(type, new Int32(), place) : type
    return new Field(column.name, stored, true, metadataOf(column))
  })
  return new Schema(fields)
}

function typeOf({ kind }: TypedColumn, zone: string): DataType {
  switch (kind) {
    case 'number':
      return new Float64()
    case 'integer':
      return new Int32()
    case 'bigint':
      return new Int64()
    case 'boolean':
      return new Bool()
    case 'time':
      return new TimestampMillisecond(zone)
    case 'instant':
      return new TimestampMicrosecond(zone)
    case 'point':
    case 'bbox':
      return new Struct(membersOf[kind].map((name) => new Field(name, new Float64())))
    case 'geometry':
      return new Binary()
    case 'text':
    case 'json':
    case 'geojson':
      return new Utf8()
  }
}

/** Returns what a type omits: GeoArrow for places, a media type (as in JSON Schema) for texts. */
function metadataOf({ kind }: TypedColumn): Map<string, string> {
  switch (kind) {
    case 'point':
      return geoArrow('geoarrow.point')
    case 'geometry':
      return geoArrow('geoarrow.wkb')
    case 'json':
      return new Map([['contentMediaType', 'application/json']])
    case 'geojson':
      return new Map([['contentMediaType', 'application/geo+json']])
    case 'number':
    case 'integer':
    case 'bigint':
    case 'boolean':
    case 'time':
    case 'instant':
    case 'text':
    case 'bbox':
      return new Map()
  }
}

const geoArrow = (name: string) =>
  new Map([
    ['ARROW:extension:name', name],
    ['ARROW:extension:metadata', '{"crs":"OGC:CRS84","crs_type":"authority_code"}'],
  ])
