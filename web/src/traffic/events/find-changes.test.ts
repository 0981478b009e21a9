import { expect, it } from 'vitest'
import { findChanges } from './find-changes.ts'
import { merge } from './merge.ts'
import { sampleEvent } from './sample-event.ts'
import { meets, stateOf } from './state-of.ts'

const now = 1_800_000
const marks = (...args: Parameters<typeof findChanges>) => Object.fromEntries(findChanges(...args))

it('tells what is new, what has changed and what has ended', () => {
  const before = [
    sampleEvent({ id: 'same' }),
    sampleEvent({ id: 'a' }),
    sampleEvent({ id: 'gone' }),
  ]
  const after = [
    sampleEvent({ id: 'same' }),
    sampleEvent({ id: 'a', version: 2 }),
    sampleEvent({ id: 'b' }),
  ]
  expect(marks(before, after, now)).toEqual({ a: 'changed', b: 'new', gone: 'ended' })
})

it('takes a version that says the end for the end, and tells no end twice', () => {
  const open = sampleEvent({ end: undefined })
  const over = sampleEvent({ end: now, version: 2 })
  expect(marks([open], [over], now)).toEqual({ a: 'ended' })
  expect(marks([over], [], now)).toEqual({})
  expect(marks([open], [{ ...open, version: 2, isCancelled: true }], now)).toEqual({ a: 'ended' })
})

it('is over when cancelled, and meets a span that it reaches into', () => {
  expect(stateOf(sampleEvent({ isCancelled: true }), now)).toBe('past')
  expect(stateOf(sampleEvent({ start: now + 1 }), now)).toBe('coming')
  expect(meets(sampleEvent(), 3_600_000, 4_000_000)).toBe(false)
  expect(meets(sampleEvent({ end: undefined }), 3_600_000, 4_000_000)).toBe(true)
  expect(meets(sampleEvent({ end: 0 }), 0, 10)).toBe(true)
})

it('has each event once, the newer version of it', () => {
  const listed = [sampleEvent({ version: 2 }), sampleEvent({ id: 'b', version: 1 })]
  const current = [sampleEvent({ version: 1 }), sampleEvent({ id: 'b', type: 'Accident' })]
  const merged = merge(listed, current)
  expect(merged.map(({ id, version, type }) => [id, version, type])).toEqual([
    ['a', 2, undefined],
    ['b', 1, 'Accident'],
  ])
})

it('believes no event without an end longer than the feeds do, once it is known what they say', () => {
  const open = sampleEvent({ end: undefined })
  expect(merge([open], undefined)).toEqual([open])
  expect(merge([open], [])[0]?.end).toBe(86_400_000)
  expect(merge([open], [open])[0]?.end).toBeUndefined()
})
