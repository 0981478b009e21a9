import { expect, test } from 'vitest'
import { latestRequest, stateOf, toTime } from './latest.ts'

const now = new Date('2026-11-22T09:00:00Z')
const at = (minutesAgo: number | undefined, period: number) => ({
  id: 'a',
  title: 'A',
  geometry: undefined,
  value: 1,
  unit: '',
  time: minutesAgo === undefined ? undefined : new Date(now.getTime() - minutesAgo * 60_000),
  period,
})

test('Times of the service are read with their offset', () => {
  expect(toTime('2026-11-22 08:27:00.000+0000')).toEqual(new Date('2026-11-22T08:27:00Z'))
  expect(toTime('2026-11-22 10:27:00.000+0200')).toEqual(new Date('2026-11-22T08:27:00Z'))
  expect(toTime('soon')).toBeUndefined()
  expect(toTime(null)).toBeUndefined()
})

test.each([
  [0, 600, 'fresh'],
  [20, 600, 'fresh'],
  [21, 600, 'late'],
  [60, 600, 'late'],
  [61, 600, 'stale'],
  [2, 1, 'fresh'],
  [7, 0, 'stale'],
  [undefined, 600, 'none'],
])('A value of %s minutes ago with a period of %s s is %s', (minutes, period, state) => {
  expect(stateOf(at(minutes, period), now)).toBe(state)
})

test('Names with signs of addresses stay one part of the path', () => {
  expect(latestRequest('LinkStation', 'elapsed time (a/b)').path).toBe(
    '/v2/flat,node/LinkStation/elapsed%20time%20(a%2Fb)/latest',
  )
})
