import type { CanonicalObject } from './canonical.ts'

/** A body as a provider would push it, NDJSON in the canonical formats. */
export type RegionMessage = { readonly body: Uint8Array<ArrayBuffer>; readonly items: number }

/** Each message is a transaction of its own: larger ones are fewer, smaller ones hold nobody up. */
const itemsPerMessage = 5_000
const charactersPerMessage = 1_000_000

/** Writes objects as messages, each with as many of them as it should hold. */
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

/** In memory of its own, so that a thread can hand it over. */
function toBody(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(lines.join('\n'))
}
