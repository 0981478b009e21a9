import { AppError } from '../../errors/index.ts'

/** The longest key that is kept; a UUID has 36 characters. */
const longest = 255

/**
 * Reads `Idempotency-Key`: any printable ASCII text, also one in quotes (draft-ietf-httpapi-idempotency-
 * key-header).
 * @returns undefined when there is none
 * @throws AppError HUB-QRY-013
 */
export function readIdempotencyKey(header: string | readonly string[] | undefined) {
  if (header === undefined) return undefined
  const written = String(header).trim()
  const key = /^"(.*)"$/.exec(written)?.[1] ?? written
  if (/^[\x20-\x7e]+$/.test(key) && key.length <= longest) return key
  throw new AppError(
    'HUB-QRY-013',
    `Idempotency-Key must be 1 to ${String(longest)} printable ASCII characters.`,
    { hint: 'Take a new UUID for each message, and the same one when you send it again.' },
  )
}

/**
 * Notes a key as being in use, and returns what gives it back; a second call does nothing.
 * @throws AppError HUB-QRY-014
 */
export type EnterKey = (
  ...names: readonly [sender: string, stream: string, key: string]
) => () => void

/** The keys of requests that are being answered by this process: each can be in use once. */
export function runningKeys(): EnterKey {
  const running = new Set<string>()
  return (...names) => {
    const name = JSON.stringify(names)
    if (running.has(name)) throw stillRunning()
    running.add(name)
    let isHeld = true
    return () => {
      // The key may be another request's by now.
      if (isHeld) running.delete(name)
      isHeld = false
    }
  }
}

function stillRunning(): AppError {
  return new AppError('HUB-QRY-014', 'A request with this Idempotency-Key is being answered.', {
    hint: 'Wait for its answer, or send this one again a little later.',
    headers: { 'retry-after': '1' },
  })
}

/** Why a message is refused whose key was used for another one. */
export function otherBody(key: string): AppError {
  return new AppError('HUB-QRY-015', `Another body was sent with the Idempotency-Key ${key}.`, {
    hint: 'Take a new key for each message.',
  })
}
