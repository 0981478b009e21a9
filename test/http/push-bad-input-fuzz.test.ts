import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { usePushingHub } from '../fixtures/pushing-hub.ts'
import type { SentReceipt } from '../fixtures/pushing-hub.ts'
import { nearCanonical } from './bad-input/near-canonical.ts'
import type { NearMessage } from './bad-input/near-canonical.ts'

/** 1,000 objects on each engine, in messages of 100 lines. */
const messages = fc.array(nearCanonical, { minLength: 100, maxLength: 100 })
const runs = 10
const patience = 180_000

describeWithDatabase('near-canonical messages', (database) => {
  const hub = usePushingHub(database)

  it(
    'are stored or rejected item by item, with reasons, and none is lost',
    async () => {
      await fc.assert(
        fc.asyncProperty(messages, async (lines) => {
          const receipt = await hub.push(lines)
          const faults = lines.flatMap((line, index) => faultsOf(line, index + 1, receipt))
          expect(faults).toEqual([])
          const taken = lines.map((line, index) => takenOf(line, index + 1, receipt))
          expect(receipt.stored).toBe(taken.reduce((sum, count) => sum + count, 0))
          for (const { reason } of receipt.rejected) expect(reason).toMatch(/\w{3}/)
        }),
        {
          numRuns: runs,
          plugins: [fc.interruptAfterTimeLimit(patience, { failOnInterrupt: true })],
        },
      )
    },
    patience * 2,
  )
})

/** Counts how many items of an object, or of its deletions, must have been stored. */
function takenOf(message: NearMessage, line: number, receipt: SentReceipt): number {
  const { wholly, items } = rejectionsOf(line, receipt)
  if (wholly.length > 0) return 0
  return countOf(message['items']) + countOf(message['delete']) - items.length
}

/**
 * Checks the rejections themselves: an item has at most one, and an object that is rejected as a
 * whole has no rejected items.
 */
function faultsOf(message: NearMessage, line: number, receipt: SentReceipt): readonly string[] {
  const { wholly, items } = rejectionsOf(line, receipt)
  const places = items.map(({ index }) => index ?? 0)
  const isTwice = new Set(places).size < places.length
  const isBeyond = places.some((index) => index >= countOf(message['items']))
  const isMixed = wholly.length > 0 && items.length > 0
  return isTwice || isBeyond || isMixed ? [JSON.stringify({ message, wholly, items })] : []
}

function rejectionsOf(line: number, { rejected }: SentReceipt) {
  const here = rejected.filter((rejection) => rejection.line === line)
  return {
    wholly: here.filter(({ index }) => index === null),
    items: here.filter(({ index }) => index !== null),
  }
}

function countOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}
