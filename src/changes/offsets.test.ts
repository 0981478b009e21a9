import { expect, it } from 'vitest'
import type { Feed } from './feed.ts'
import { openOffsets } from './offsets.ts'

const feed: Feed = {
  name: 'Event',
  type: 'Event',
  description: '',
  area: 'event',
  ruleType: undefined,
  isOpen: false,
  takes: [],
  needsToken: false,
  isKnown: () => Promise.resolve(true),
  open: () => Promise.reject(new Error('It is not opened.')),
}

it('prints offsets whose length does not depend on how many transactions and changes there were', () => {
  const offsets = openOffsets({ epoch: 'e', secret: Buffer.alloc(32), prunedBefore: new Date(0) })
  const readership = { feed, visibility: { kind: 'everything' }, query: {} } as const
  const lengthOf = (xid: bigint, sequence: bigint, target: string) => {
    const place = { xid, sequence, target, time: 0, day: 20_000 }
    return offsets.print({ kind: 'changes', ...place }, readership).length
  }
  const lengths = [
    lengthOf(9n, 9n, 'a'),
    lengthOf(10n, 99_999_999n, 'a'),
    lengthOf(10_000_000_000n, 1n, '0000000001'),
  ]
  expect(new Set(lengths).size).toBe(1)
})
