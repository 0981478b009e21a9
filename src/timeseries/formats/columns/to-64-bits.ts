const twoTo32 = 2 ** 32

/**
 * Whole numbers as 64 bits, the low half first, as Arrow and Parquet have them. Twenty times as fast as
 * by way of `BigInt`.
 */
export function to64Bits(numbers: Float64Array): BigInt64Array<ArrayBuffer> {
  const halves = new Int32Array(numbers.length * 2)
  let place = 0
  for (const number of numbers) {
    const high = Math.floor(number / twoTo32)
    halves[place] = number - high * twoTo32
    halves[place + 1] = high
    place += 2
  }
  return new BigInt64Array(halves.buffer)
}
