import { expect, test } from 'vitest'
import { collectLatest, cursorOf } from './load-page.ts'

test('The cursor is taken from the link to the next page', () => {
  const link =
    '<http://hub/v1/Event?pagesize=1&cursor=A-b_1>; rel="next", <http://hub/v1/Event>; rel="first"'
  expect(cursorOf(link)).toBe('A-b_1')
  expect(cursorOf('<http://hub/v1/Event?pagenumber=2>; rel="next"')).toBeUndefined()
  expect(cursorOf(null)).toBeUndefined()
})

const row = { scode: 'a', tname: 'free', tunit: 'n', mperiod: 600, mvalue: 1 }

test('Of several values of a data type, the newest is shown', () => {
  const rows = [
    { ...row, mvalue: 2, mvalidtime: '2026-11-22 09:59:00.000+0000' },
    { ...row, mvalue: 1, mvalidtime: '2026-11-22 09:00:00.000+0000' },
  ]
  expect(collectLatest(rows, () => 'fresh').get('a')).toEqual({
    free: { value: 2, unit: 'n', at: '2026-11-22T09:59:00.000+0000', isOld: false },
  })
})

test('A value is old if the hub reports its series as stale or silent', () => {
  const rows = [{ ...row, mvalidtime: '2026-11-22 09:29:00.000+0000' }]
  const states = ['fresh', 'late', 'stale', 'silent', undefined] as const
  expect(states.map((state) => collectLatest(rows, () => state).get('a')?.['free'])).toMatchObject(
    [false, false, true, true, false].map((isOld) => ({ isOld })),
  )
})
