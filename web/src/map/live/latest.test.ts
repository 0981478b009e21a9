import { expect, test } from 'vitest'
import { latestRequest, toTime } from './latest.ts'

test('Times of the service are read with their offset', () => {
  expect(toTime('2026-11-22 08:27:00.000+0000')).toEqual(new Date('2026-11-22T08:27:00Z'))
  expect(toTime('2026-11-22 10:27:00.000+0200')).toEqual(new Date('2026-11-22T08:27:00Z'))
  expect(toTime('soon')).toBeUndefined()
  expect(toTime(null)).toBeUndefined()
})

test('Names with signs of addresses stay one part of the path', () => {
  expect(latestRequest('LinkStation', 'elapsed time (a/b)').path).toBe(
    '/v2/flat,node/LinkStation/elapsed%20time%20(a%2Fb)/latest',
  )
})
