import { expect, it } from 'vitest'
import { requestIds } from './request-ids.ts'

it('names every request by another UUID', () => {
  const next = requestIds()
  const ids = Array.from({ length: 140_000 }, next)
  expect(new Set(ids).size).toBe(ids.length)
  const isUuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
  expect(ids.filter((id) => !isUuid.test(id))).toEqual([])
})
