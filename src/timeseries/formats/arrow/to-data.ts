import { DataType, Float64, Int32, Utf8, Vector as ArrowVector, makeData } from 'apache-arrow'
import type { Data } from 'apache-arrow'
import { to64Bits } from '../columns/to-64-bits.ts'
import type { Validity, Vector } from '../columns/vector.ts'

/** The buffers of a vector, as a type of Arrow has them. */
export function toData(vector: Vector, type: DataType): Data {
  switch (vector.shape) {
    case 'numbers':
      return numbers(vector, type)
    case 'points': {
      const { x, y, validity } = vector
      if (!DataType.isStruct(type)) throw new TypeError('Points are a struct.')
      const children = [x, y].map((data) => makeData({ type: new Float64(), data }))
      return makeData({ type, length: x.length, ...nullsOf(validity), children })
    }
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

/** A bit for each value that is not 0, the lowest first. */
function bitsOf(values: Float64Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8))
  values.forEach((value, place) => {
    if (value !== 0) bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
  })
  return bits
}

/** Texts one behind the other in UTF-8, and where each begins. */
function texts(values: readonly (string | null)[]): Data<Utf8> {
  const valueOffsets = new Int32Array(values.length + 1)
  const bits = new Uint8Array(Math.ceil(values.length / 8))
  let [end, nulls] = [0, 0]
  values.forEach((value, place) => {
    if (value === null) nulls += 1
    else {
      end += Buffer.byteLength(value)
      bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
    }
    valueOffsets[place + 1] = end
  })
  const data = Buffer.from(values.join(''))
  const rest = nullsOf({ bits, nulls })
  return makeData({ type: new Utf8(), length: values.length, valueOffsets, data, ...rest })
}

/** A list of shared texts is written once, as long as it is the same. */
const dictionaries = new WeakMap<readonly string[], ArrowVector<Utf8>>()

function dictionaryOf(list: readonly string[]): ArrowVector<Utf8> {
  const known = dictionaries.get(list)
  if (known !== undefined) return known
  const made = new ArrowVector([texts(list)])
  dictionaries.set(list, made)
  return made
}
