import { expect, it } from 'vitest'
import { follow } from './gestures.ts'

const start = { from: 0, to: 100_000_000 }
const box = { left: 0, width: 100 }

it('moves with one finger: what lay under it stays there', () => {
  expect(follow(start, [{ from: 50, at: 60 }], box)).toEqual({ from: -10_000_000, to: 90_000_000 })
})

it('zooms with two: what lay under each stays there', () => {
  const pinched = follow(
    start,
    [
      { from: 25, at: 10 },
      { from: 75, at: 90 },
    ],
    box,
  )
  const length = pinched.to - pinched.from
  expect(pinched.from + 0.1 * length).toBeCloseTo(25_000_000, -2)
  expect(pinched.from + 0.9 * length).toBeCloseTo(75_000_000, -2)
})
