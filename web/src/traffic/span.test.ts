import { expect, it } from 'vitest'
import { spanOf, step, ticksOf, toDay } from './span.ts'

const noon = new Date(2026, 10, 22, 12).getTime()
const days = ({ from, to }: { readonly from: number; readonly to: number }) => [
  toDay(from),
  toDay(to),
]

it('lies around the present, or begins on the day that is chosen', () => {
  expect(days(spanOf('day', '', noon))).toEqual(['2026-11-22', '2026-11-23'])
  expect(days(spanOf('week', '', noon))).toEqual(['2026-11-20', '2026-11-27'])
  expect(days(spanOf('week', '2026-12-28', noon))).toEqual(['2026-12-28', '2027-01-04'])
})

it('takes what is not a valid day for none', () => {
  for (const day of ['soon', '0026-11-22', '0202-11-22'])
    expect(spanOf('week', day, noon)).toEqual(spanOf('week', '', noon))
})

it('continues where it ends, and back', () => {
  const span = spanOf('month', '2026-11-01', noon)
  expect([step('month', span, 1), step('month', span, -1)]).toEqual(['2026-12-02', '2026-10-01'])
})

it('has a line for each day, and for every third hour of one day', () => {
  expect(ticksOf('week', spanOf('week', '', noon))).toHaveLength(7)
  const hours = ticksOf('day', spanOf('day', '', noon)).map((at) => new Date(at).getHours())
  expect(hours).toEqual([0, 3, 6, 9, 12, 15, 18, 21])
})

it('counts days by the calendar where one of them has 23 or 25 hours', () => {
  const span = spanOf('week', '2026-10-22', noon)
  expect(days(span)).toEqual(['2026-10-22', '2026-10-29'])
  expect(ticksOf('week', span).map((at) => new Date(at).getHours())).toEqual([0, 0, 0, 0, 0, 0, 0])
})
