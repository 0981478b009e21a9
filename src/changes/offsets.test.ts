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

const offsets = openOffsets({ epoch: 'e', secret: Buffer.alloc(32), prunedBefore: new Date(0) })
const readership = { feed, visibility: { kind: 'everything' }, query: {} } as const
const position = {
  kind: 'changes',
  xid: 9n,
  sequence: 7n,
  target: 'a',
  day: 20_000,
  time: 1_728_000_000_000,
} as const

it('refuses an offset whose time was changed', () => {
  const offset = offsets.print(position, readership)
  expect(offsets.parse(offset, readership)).toMatchObject(position)
  const changed = offset.replace(/^.{9}/, (time) =>
    (parseInt(time, 36) + 1).toString(36).padStart(9, '0'),
  )
  expect(() => offsets.parse(changed, readership)).toThrow(/no longer valid/)
})

it('accepts an offset of earlier versions, but limits its unprotected time to its day', () => {
  const earlier =
    '0m1tyl1c0_ZiDlXsEO3cJC-K4ULO8Kes23llWIlGUHm3UyQdMiP4YOyn4P7n95oD2hqKff3FL_yxASsM_Fj4wNSW2K60BEvmZS5bWuWCnqX3KrGO7WClPjYjzmt1azFVNd72wMxBOJxHQdFz1hLaEdCCdA8tMQIQ'
  expect(offsets.parse(earlier, readership)).toMatchObject(position)
  const future = offsets.parse(earlier.replace(/^.{9}/, 'zzzzzzzzz'), readership)
  expect(future).toMatchObject({ ...position, time: 20_001 * 86_400_000 })
})

it('prints offsets of the same length for any number of transactions and changes', () => {
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
