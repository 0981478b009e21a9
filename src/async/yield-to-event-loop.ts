import { setImmediate } from 'node:timers/promises'

/** Resolves after the event loop has answered what was waiting. */
export const yieldToEventLoop = (): Promise<void> => setImmediate()

/** How long one piece of work holds the event loop, in ms. */
const slice = 5

/** Runs work that is made of small steps to its end, with pauses in which requests are answered. */
export async function inSlices<Result>(steps: Iterator<unknown, Result>): Promise<Result> {
  let began = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - began < slice) continue
    await yieldToEventLoop()
    began = performance.now()
  }
}

/** Characters of JSON that are worked through in some milliseconds. */
const batchSize = 200_000

/**
 * Texts in batches that take some milliseconds each; requests are answered between two of them.
 * @param most characters of a batch, but for its last text
 */
export async function* inBatches<Item extends { readonly data: string }>(
  items: readonly Item[],
  most = batchSize,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = []
  let size = 0
  for (const item of items) {
    batch.push(item)
    size += item.data.length
    if (size < most) continue
    yield batch
    batch = []
    size = 0
    await yieldToEventLoop()
  }
  if (batch.length > 0) yield batch
}
