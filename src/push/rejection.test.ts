import { expect, it } from 'vitest'
import { countRejected, noteOfUnlisted } from './rejection.ts'

const rejected = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ index, reason: 'is not a number' }))

it.each([
  [0, 0],
  [3, 0],
  [1000, 1],
  [1000, 99_500],
])('Rejections are counted: %i in the list, %i in its note', (listed, noted) => {
  const list = [...rejected(listed), ...noteOfUnlisted(noted, 'rejections')]
  expect(countRejected(list)).toBe(listed + noted)
})
