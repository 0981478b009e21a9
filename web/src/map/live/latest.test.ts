import { expect, test } from 'vitest'
import { latestRequests } from './latest.ts'

test('Special characters in names are escaped in the path', () => {
  const paths = latestRequests('Link/Station', 'elapsed time (a/b)').map(({ path }) => path)
  expect(paths).toEqual([
    '/v2/flat,node/Link%2FStation/elapsed%20time%20(a%2Fb)/latest',
    '/v2/freshness/Link%2FStation',
  ])
})

test('A data type is quoted in conditions', () => {
  const [, freshness] = latestRequests('Link', String.raw`driver's "a\b"`)
  expect(freshness.query.where).toBe(String.raw`tname.eq."driver\'s \"a\\b\""`)
})
