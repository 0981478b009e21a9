import { expect, test } from 'vitest'
import { latestRequest } from './latest.ts'

test('Names with signs of addresses stay one part of the path', () => {
  expect(latestRequest('LinkStation', 'elapsed time (a/b)').path).toBe(
    '/v2/flat,node/LinkStation/elapsed%20time%20(a%2Fb)/latest',
  )
})
