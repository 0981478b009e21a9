import { DecodeFault } from './fault.ts'

/** A line, row or element of a list that cannot be decoded while the others can. */
export type BrokenItem = {
  readonly reason: string
  /** Counted from 1, of the text that the step read. */
  readonly line?: number | undefined
  /** JSON pointer to the member that could not be decoded. */
  readonly pointer?: string | undefined
}

export type DecodeLimits = {
  /** Bytes that a payload may have, and that all its packed parts may unpack to, together. */
  readonly maxBytes: number
  /** How deep lists, objects and elements may be nested. */
  readonly maxDepth: number
  /** Is told what is left out because it is broken. Without it a broken item fails the payload. */
  readonly tellBroken?: ((broken: BrokenItem) => void) | undefined
}

/** Limits while a payload is decoded. */
export type Decoding = {
  readonly maxDepth: number
  /** Bytes that may still be unpacked. */
  readonly left: () => number
  /**
   * Counts what was unpacked.
   * @throws DecodeFault when there were more bytes than left
   */
  readonly spend: (bytes: number) => void
  /** @throws DecodeFault when nobody wants to be told of broken items, or there are too many */
  readonly tellBroken: (fault: DecodeFault) => void
}

/** Each costs as much as many good ones, and nobody reads so many. */
const mostBroken = 100_000

/** @throws DecodeFault when the body itself is too large */
export function startDecoding(body: Uint8Array, limits: DecodeLimits): Decoding {
  const { maxBytes, maxDepth, tellBroken } = limits
  if (body.length > maxBytes) throw tooLarge(maxBytes)
  let left = maxBytes
  let broken = 0
  return {
    maxDepth,
    left: () => left,
    spend: (bytes) => {
      left -= bytes
      if (left < 0) throw tooLarge(maxBytes)
    },
    tellBroken: (fault) => {
      // When no bytes are left, it is not the item that is broken.
      if (tellBroken === undefined || left < 0) throw fault
      broken += 1
      if (broken > mostBroken) throw tooBroken(fault)
      const { line, pointer } = fault.place
      tellBroken({ reason: fault.message, line, pointer })
    },
  }
}

function tooBroken({ message }: DecodeFault): DecodeFault {
  return new DecodeFault(
    `more than ${String(mostBroken)} items of the payload are broken, such as ${message}`,
  )
}

function tooLarge(maxBytes: number): DecodeFault {
  return new DecodeFault(`the payload has more than ${String(maxBytes)} bytes, unpacked`)
}

export function tooDeep(maxDepth: number): DecodeFault {
  return new DecodeFault(`the payload is nested deeper than ${String(maxDepth)} levels`)
}
