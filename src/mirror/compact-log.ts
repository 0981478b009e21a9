import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { linesOf, readMessage } from './messages.ts'
import type { Message } from './messages.ts'

/** Bytes of a log whose keys are in memory at once. */
export const atOnce = 256_000_000

type Part = {
  /** Bytes of the log before and at the end of which nothing counts. */
  readonly start: number
  readonly end: number
}

/**
 * Writes the last message of each key to a file, unless that is a delete. Where a log is long, this happens in several
 * rounds, each for a share of the keys, so only their places are in memory, and never all of them.
 */
export async function compactLog(
  from: string,
  { start, end }: Part,
  { to, atOnce: most }: { readonly to: string; readonly atOnce: number },
): Promise<void> {
  const rounds = Math.max(1, Math.ceil((end - start) / most))
  async function* kept() {
    for (let round = 0; round < rounds; round++) {
      const last = new Map<string, number>()
      for await (const { place, message } of messagesOf(from, { start, end })) {
        if (rounds > 1 && shareOf(message.key, rounds) !== round) continue
        last.delete(message.key)
        if (message.operation !== 'delete') last.set(message.key, place)
      }
      const places = new Set(last.values())
      for await (const { place, lines } of blocksOf(from, { start, end })) {
        let at = place
        for (const line of lines) {
          if (places.has(at)) yield Buffer.concat([line, newline])
          at += line.length + 1
        }
      }
    }
  }
  await pipeline(kept, createWriteStream(to, { flush: true }))
}

const newline = Buffer.from('\n')

function shareOf(key: string, shares: number): number {
  return createHash('md5').update(key).digest().readUInt32LE() % shares
}

async function* blocksOf(path: string, { start, end }: Part) {
  if (end <= start) return
  let place = start
  for await (const lines of linesOf(createReadStream(path, { start, end: end - 1 }), path)) {
    yield { place, lines }
    for (const line of lines) place += line.length + 1
  }
}

async function* messagesOf(
  path: string,
  part: Part,
): AsyncGenerator<{ readonly place: number; readonly message: Message }> {
  for await (const { place, lines } of blocksOf(path, part)) {
    let at = place
    for (const line of lines) {
      const message = readMessage(line.toString())
      if (message !== undefined) yield { place: at, message }
      at += line.length + 1
    }
  }
}
