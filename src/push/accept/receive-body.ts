import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Limit } from '../../async/index.ts'
import { createLimit } from '../../async/index.ts'
import { AppError } from '../../errors/index.ts'

/**
 * Creates the room in memory that concurrent bodies share. A body that waits for it too long is
 * refused with HUB-SRV-007.
 */
export function createRoom({ bytes, patience }: { bytes: number; patience: number }): Limit {
  return createLimit({ places: bytes, patience, refuse: () => full(patience) })
}

function full(patience: number): AppError {
  const seconds = String(patience / 1000)
  return new AppError('HUB-SRV-007', `For ${seconds} seconds there was no room for a large body.`, {
    hint: 'Nothing of this request was stored. Send it again after the time in Retry-After, or in parts.',
    headers: { 'retry-after': '10' },
  })
}

const gunzipped = promisify(gunzip)

/**
 * Returns a body as the provider produced it: decompressed if it is gzip, up to a size limit
 * (decision D51).
 * @throws AppError HUB-BDY-001 if it cannot be decompressed, HUB-BDY-002 if it is too large,
 *   HUB-BDY-003 for another encoding
 */
export async function unpack(
  sent: Uint8Array<ArrayBuffer>,
  encoding: string | undefined,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const coding = (encoding ?? 'identity').trim().toLowerCase()
  if (coding === 'identity' || coding === '') return sent
  if (coding !== 'gzip' && coding !== 'x-gzip') {
    throw new AppError('HUB-BDY-003', `Content-Encoding ${coding} is not supported.`, {
      hint: 'Send the body uncompressed, or with gzip.',
      headers: { 'accept-encoding': 'gzip, identity' },
    })
  }
  try {
    return await gunzipped(sent, { maxOutputLength: limit })
  } catch (error) {
    if (error instanceof RangeError) throw unpackedTooLarge(limit)
    throw new AppError('HUB-BDY-001', 'The body is declared as gzip, but cannot be decompressed.', {
      cause: error,
    })
  }
}

function unpackedTooLarge(limit: number): AppError {
  return new AppError('HUB-BDY-002', `The body has more than ${String(limit)} bytes, decompressed.`)
}

type Limits = {
  /** Maximum size of a body in bytes. */
  readonly bodyLimit: number
  /** Milliseconds without a byte after which the request fails. */
  readonly patience: number
  /**
   * Room in memory. Once more than `small` bytes of a body have arrived, reading pauses until room
   * for the body is reserved.
   */
  readonly room: Limit
}

/** A body as it was received, not decompressed. */
export type Received = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sha256: Uint8Array
  readonly leave: () => void
}

/** Size in bytes up to which a body needs no reserved room. */
const small = 1_048_576

/** Size in bytes from which on a body of known length is received into one preallocated buffer. */
const large = 65_536

/**
 * Reads the body of a request. The digest is computed piece by piece, so that a large body never
 * blocks other requests, and the body is in memory only once.
 * @throws AppError HUB-BDY-002 if it is too large, HUB-RTE-006 if no more bytes arrive, HUB-BDY-001
 *   if the connection ends before the body, HUB-SRV-007 if there is no room for it
 */
export async function receiveBody(request: IncomingMessage, limits: Limits): Promise<Received> {
  const announced = Number(request.headers['content-length'] ?? Number.NaN)
  if (announced > limits.bodyLimit) throw tooLarge(limits.bodyLimit)
  const place = placeIn(limits.room)
  try {
    const hash = createHash('sha256')
    const parts = announced >= large ? inPlace(announced) : inPieces()
    const whole = Number.isNaN(announced) ? limits.bodyLimit : announced
    await readPieces(request, { ...limits, whole, place }, (piece) => {
      hash.update(piece)
      parts.add(piece)
    })
    return { bytes: parts.whole(), sha256: hash.digest(), leave: place.leave }
  } catch (error) {
    place.leave()
    throw error
  }
}

type Place = {
  readonly isTaken: () => boolean
  readonly take: (bytes: number) => Promise<void>
  readonly leave: () => void
}

/** Returns a reservation of room, to be made once it turns out to be needed. */
function placeIn(room: Limit): Place {
  let giveBack: (() => void) | undefined
  let isLeft = false
  return {
    isTaken: () => giveBack !== undefined,
    take: async (bytes) => {
      giveBack = await room.enter({ weight: bytes })
      // The request may have ended while it waited.
      if (isLeft) giveBack()
    },
    leave: () => {
      isLeft = true
      giveBack?.()
    },
  }
}

type Reading = Limits & {
  /** Length of the body in bytes: as announced, or else the limit. */
  readonly whole: number
  readonly place: Place
}

/**
 * Passes on the pieces of a body. A loop over the request would close its connection when it ends,
 * so that no response could be sent.
 */
async function readPieces(
  request: IncomingMessage,
  { bodyLimit, patience, whole, place }: Reading,
  take: (piece: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => {
    reject(tooSlow(patience))
  }, patience)
  let received = 0
  const onData = (piece: Buffer<ArrayBuffer>) => {
    timer.refresh()
    received += piece.length
    if (received > bodyLimit) reject(tooLarge(bodyLimit))
    else take(piece)
    // Not earlier: a sender that announces a large body and sends nothing must not block others.
    if (received > small && !place.isTaken()) whilePaused(request, place.take(whole), reject)
  }
  let isWhole = false
  const onEnd = () => {
    isWhole = true
    resolve(undefined)
  }
  // A request is also closed after its end, and creating an error for that costs more than the
  // rest.
  const onBreak = (cause?: unknown) => {
    if (!isWhole) reject(broken(cause))
  }
  request.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    request.off('data', onData).off('end', onEnd).off('close', onBreak)
  }
}

function whilePaused(
  request: IncomingMessage,
  wait: Promise<void>,
  fail: (reason: unknown) => void,
): void {
  request.pause()
  wait.then(() => request.resume(), fail)
}

type Parts = {
  readonly add: (piece: Uint8Array<ArrayBuffer>) => void
  readonly whole: () => Uint8Array<ArrayBuffer>
}

/** Collects pieces in one buffer. HTTP ends a body at the announced length, so they fit. */
function inPlace(length: number): Parts {
  const whole = Buffer.allocUnsafeSlow(length)
  let at = 0
  return {
    add: (piece) => {
      whole.set(piece, at)
      at += piece.length
    },
    whole: () => whole.subarray(0, at),
  }
}

function inPieces(): Parts {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  return {
    add: (piece) => {
      pieces.push(piece)
    },
    // Always copied, because a piece may be a view of the socket's read buffer.
    whole: () => Buffer.concat(pieces),
  }
}

function tooLarge(limit: number): AppError {
  return new AppError('HUB-BDY-002', `The body has more than ${String(limit)} bytes.`, {
    hint: 'Send it in parts, or as NDJSON in several messages.',
  })
}

function tooSlow(patience: number): AppError {
  const seconds = String(patience / 1000)
  return new AppError('HUB-RTE-006', `No part of the body arrived for ${seconds} seconds.`)
}

function broken(cause: unknown): AppError {
  return new AppError('HUB-BDY-001', 'The connection ended before the body was complete.', {
    cause,
  })
}
