import { expect, it } from 'vitest'
import { spanOf, step, ticksOf, toDay } from './span.ts'
import type { Span, Zoom } from './span.ts'

const rome = 'Europe/Rome'
const noon = Date.parse('2026-11-22T11:00Z')
const span = (zoom: Zoom, day = '', zone = rome) => spanOf({ zoom, day, zone }, noon)
const days = ({ from, to, zone }: Span) => [toDay(from, zone), toDay(to, zone)]
const hoursIn = (zone: string, times: readonly number[]) =>
  times.map((at) =>
    Number(
      new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(
        at,
      ),
    ),
  )

it('contains the present, or starts on the selected day', () => {
  expect(days(span('day'))).toEqual(['2026-11-22', '2026-11-23'])
  expect(days(span('week'))).toEqual(['2026-11-20', '2026-11-27'])
  expect(days(span('week', '2026-12-28'))).toEqual(['2026-12-28', '2027-01-04'])
})

it('starts with a day of its zone, independent of the reader', () => {
  expect(new Date(span('day').from).toISOString()).toBe('2026-11-21T23:00:00.000Z')
  expect(new Date(span('day', '', 'UTC').from).toISOString()).toBe('2026-11-22T00:00:00.000Z')
  expect(new Date(span('day', '', 'Asia/Tokyo').from).toISOString()).toBe(
    '2026-11-21T15:00:00.000Z',
  )
})

it('ignores an invalid day', () => {
  for (const day of ['soon', '0026-11-22', '0202-11-22', '2026-13-40'])
    expect(span('week', day)).toEqual(span('week'))
})

it('moves to the next and the previous span without a gap', () => {
  const month = span('month', '2026-11-01')
  expect([step('month', month, 1), step('month', month, -1)]).toEqual(['2026-12-02', '2026-10-01'])
})

it('has a line for each day, or for every third hour of one day', () => {
  expect(ticksOf('week', span('week'))).toHaveLength(7)
  expect(hoursIn(rome, ticksOf('day', span('day')))).toEqual([0, 3, 6, 9, 12, 15, 18, 21])
})

it('counts calendar days, even if one has 23 or 25 hours', () => {
  const week = span('week', '2026-10-22')
  expect(days(week)).toEqual(['2026-10-22', '2026-10-29'])
  expect(hoursIn(rome, ticksOf('week', week))).toEqual([0, 0, 0, 0, 0, 0, 0])
})
