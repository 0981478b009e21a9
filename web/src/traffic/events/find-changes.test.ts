import { expect, it } from 'vitest'
import { findChanges, merge } from './find-changes.ts'
import type { TrafficEvent } from './event.ts'
import { sampleEvent } from './sample-event.ts'
import { matchesSpan, stateOf } from './filter.ts'

const now = 1_800_000
const feedOf = (events: readonly TrafficEvent[]) => new Map([['province-bz', { events }]])
const marks = (...args: Parameters<typeof findChanges>) => Object.fromEntries(findChanges(...args))

it('reports new, changed and ended events', () => {
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

it('treats a version with an end as the end, and reports no end twice', () => {
  const open = sampleEvent({ end: undefined })
  const over = sampleEvent({ end: now, version: 2 })
  expect(marks([open], [over], now)).toEqual({ a: 'ended' })
  expect(marks([over], [], now)).toEqual({})
  expect(marks([open], [{ ...open, version: 2, isCancelled: true }], now)).toEqual({ a: 'ended' })
})

it('is past when cancelled, and matches a span that it overlaps', () => {
  expect(stateOf(sampleEvent({ isCancelled: true }), now)).toBe('past')
  expect(stateOf(sampleEvent({ start: now + 1 }), now)).toBe('coming')
  expect(matchesSpan(sampleEvent(), { from: 3_600_000, to: 4_000_000 })).toBe(false)
  expect(matchesSpan(sampleEvent({ end: undefined }), { from: 3_600_000, to: 4_000_000 })).toBe(
    true,
  )
  expect(matchesSpan(sampleEvent({ end: 0 }), { from: 0, to: 10 })).toBe(true)
})

it('keeps each event once, in its newer version', () => {
  const listed = [sampleEvent({ version: 2 }), sampleEvent({ id: 'b', version: 1 })]
  const current = [sampleEvent({ version: 1 }), sampleEvent({ id: 'b', type: 'Accident' })]
  const merged = merge(listed, feedOf(current))
  expect(merged.map(({ id, version, type }) => [id, version, type])).toEqual([
    ['a', 2, undefined],
    ['b', 1, 'Accident'],
  ])
})

it('treats an open event that has left its feed as past, without inventing an end', () => {
  const open = sampleEvent({ end: undefined })
  const state = (feeds: Parameters<typeof merge>[1]) =>
    merge([open], feeds).map((event) => [event.end, stateOf(event, now)])
  expect(state(undefined)).toEqual([[undefined, 'active']])
  expect(state(feedOf([open]))).toEqual([[undefined, 'active']])
  expect(state(feedOf([]))).toEqual([[undefined, 'past']])
})

it('keeps an open event whose feed is unknown, and the start of one that left its feed', () => {
  const open = sampleEvent({ end: undefined })
  expect(merge([open], new Map([['other', { events: [] }]]))).toEqual([open])
  const [left = open] = merge([open], feedOf([]))
  expect(matchesSpan(left, { from: 0, to: 10 })).toBe(true)
  expect(matchesSpan(left, { from: 10, to: 20 })).toBe(false)
})
