import { on } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { CanonicalObject } from './canonical.ts'
import type { RegionPlan } from './region.ts'

/** A body as a provider would push it: NDJSON in the canonical formats. */
export type RegionMessage = { readonly body: Uint8Array<ArrayBuffer>; readonly items: number }

/**
 * Each message is stored in a transaction of its own: larger messages are fewer, smaller ones block
 * nobody.
 */
const itemsPerMessage = 5_000
const charactersPerMessage = 1_000_000

/** Prints objects as messages, each with as many objects as it should hold. */
export function* messagesOf(objects: Iterable<CanonicalObject>): Generator<RegionMessage> {
  let lines: string[] = []
  let [items, characters] = [0, 0]
  for (const object of objects) {
    const line = JSON.stringify(object)
    lines.push(line)
    items += object.items.length
    characters += line.length
    if (items < itemsPerMessage && characters < charactersPerMessage) continue
    yield { body: toBody(lines), items }
    lines = []
    items = characters = 0
  }
  if (lines.length > 0) yield { body: toBody(lines), items }
}

const encoder = new TextEncoder()

/** Encodes lines into memory of their own, so that a thread can transfer it. */
function toBody(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(lines.join('\n'))
}

/** The task of the thread: the part of a planned region that it generates. */
export const regionTask = Type.Object({
  /** `present` is everything but the measurements, `history` is the measurements of 30 days. */
  part: Type.Union([Type.Literal('present'), Type.Literal('history')]),
  plan: Type.Unsafe<RegionPlan>(Type.Object({}, { additionalProperties: true })),
})
export type RegionTask = Static<typeof regionTask>

type CountedMessage = RegionMessage & { readonly total: number }

const thread = new URL(`./region-thread${extname(import.meta.filename)}`, import.meta.url)

/** Messages that are made in advance while others are stored. A message has about a megabyte. */
const ahead = 3

/**
 * Generates the messages of a part of a region, in the order in which they must be stored. They are
 * made in a separate thread, so that the hub remains responsive and the database never waits for
 * them.
 * @throws AbortError as soon as `signal` is aborted
 */
export async function* makeMessages(
  task: RegionTask,
  signal: AbortSignal,
): AsyncGenerator<CountedMessage> {
  signal.throwIfAborted()
  const worker = new Worker(thread, { workerData: task })
  try {
    for (let wish = 0; wish < ahead; wish++) worker.postMessage('next')
    for await (const [message] of on(worker, 'message', { close: ['exit'], signal })) {
      worker.postMessage('next')
      yield assertMessage(message)
    }
  } finally {
    await worker.terminate()
  }
}

function assertMessage(message: unknown): CountedMessage {
  if (isMessage(message)) return message
  throw new TypeError('The thread of the region sent something that is not a message')
}

function isMessage(message: unknown): message is CountedMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'body' in message &&
    message.body instanceof Uint8Array
  )
}
