/**
 * Randomness that depends only on a key. Each object of the synthetic region draws from a generator
 * with its own key, so adding an object does not change any other.
 */
export type Random = {
  /** Returns a number of at least 0 and below 1. */
  readonly next: () => number
  /** Returns a whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <Item>(list: readonly Item[]) => Item
  /**
   * Returns `count` different items in the order of the list, or all of them if there are fewer.
   */
  readonly some: <Item>(list: readonly Item[], count: number) => readonly Item[]
  /** Returns lower-case hexadecimal digits. */
  readonly hex: (digits: number) => string
  readonly uuid: () => string
}

export type Key = string | number

/** Returns the generator of a key. Its parts are separated, so that 1, 23 and 12, 3 differ. */
export function randomOf(...key: readonly Key[]): Random {
  const next = sequenceOf(key.join('\u001f'))
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const hex = (digits: number) => {
    let text = ''
    while (text.length < digits) {
      text += Math.floor(next() * 0x1_0000_0000)
        .toString(16)
        .padStart(8, '0')
    }
    return text.slice(0, digits)
  }
  return {
    next,
    between,
    hex,
    chance: (probability) => next() < probability,
    pick: (list) => at(list, Math.floor(next() * list.length)),
    some: (list, count) => sample(list, count, next),
    uuid: () => toUuid(hex(32)),
  }
}

/** Returns an item that must exist: an index from a generator is always below the length. */
export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index]
  if (item === undefined) throw new RangeError(`No item ${index} in a list of ${list.length}.`)
  return item
}

function sample<Item>(list: readonly Item[], count: number, next: () => number): readonly Item[] {
  const chosen: Item[] = []
  list.forEach((item, index) => {
    const open = count - chosen.length
    if (next() * (list.length - index) < open) chosen.push(item)
  })
  return chosen
}

/** Formats digits as a random UUID (RFC 9562, version 4). */
function toUuid(hex: string): string {
  const variant = '89ab'.charAt(parseInt(hex.charAt(16), 16) % 4)
  const digits = `${hex.slice(0, 12)}4${hex.slice(13, 16)}${variant}${hex.slice(17)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Returns the generator sfc32 of the PractRand test suite, seeded with a hash of the key. */
function sequenceOf(key: string): () => number {
  let a = hash32(key, 0x9e3779b9)
  let b = hash32(key, 0x243f6a88)
  let c = hash32(key, 0xb7e15162)
  let counter = 1
  const step = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) step()
  return () => step() / 0x1_0000_0000
}

/** Returns a 32-bit hash of a text. */
export function hash32(text: string, start: number): number {
  let hash = start | 0
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x5bd1e995)
    hash ^= hash >>> 15
  }
  return mix(hash)
}

/**
 * Returns a number from 0 to 1 for each pair of whole numbers. It is fast enough for a million
 * values.
 */
export function noise(hash: number, position: number): number {
  return (mix(hash ^ Math.imul(position, 0x9e3779b1)) >>> 0) / 0x1_0000_0000
}

/** Returns noise that changes smoothly from one whole position to the next. */
export function smoothNoise(hash: number, position: number): number {
  const whole = Math.floor(position)
  const part = position - whole
  const weight = part * part * (3 - 2 * part)
  return noise(hash, whole) * (1 - weight) + noise(hash, whole + 1) * weight
}

/** Spreads a change of one bit over all 32 bits (the final step of MurmurHash3). */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
