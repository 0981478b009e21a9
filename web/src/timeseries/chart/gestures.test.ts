import { expect, it } from 'vitest'
import { follow, strokeOf } from './gestures.ts'

const start = { from: 0, to: 100_000_000 }
const box = { left: 0, width: 100 }

it('moves with one finger, and keeps the time under it', () => {
  expect(follow(start, [{ from: 50, at: 60 }], box)).toEqual({ from: -10_000_000, to: 90_000_000 })
})

it('zooms with two fingers, and keeps the times under them', () => {
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

const place = { count: 30, index: 10, at: 500, window: { from: 0, to: 1_000_000 } }
const key = (name: string, more: object = {}) =>
  strokeOf({ key: name, shiftKey: false }, { ...place, ...more })

it('steps through values by one and by ten, up to the first and the last', () => {
  expect(key('ArrowRight')).toEqual({ kind: 'cursor', index: 11 })
  expect(key('PageUp')).toEqual({ kind: 'cursor', index: 0 })
  expect(key('End')).toEqual({ kind: 'cursor', index: 29 })
  expect(key('ArrowRight', { index: 29 })).toEqual({ kind: 'cursor', index: 29 })
})

it('starts at the newest value', () => {
  expect(key('ArrowLeft', { index: undefined })).toEqual({ kind: 'cursor', index: 29 })
  expect(key('Home', { index: undefined })).toEqual({ kind: 'cursor', index: 0 })
})

it('moves and zooms the window, around the cursor', () => {
  expect(strokeOf({ key: 'ArrowLeft', shiftKey: true }, place)).toEqual({
    kind: 'window',
    window: { from: -250_000, to: 750_000 },
  })
  expect(key('+')).toEqual({ kind: 'window', window: { from: 250, to: 500_250 } })
})

it('leaves all other keys to the page', () => {
  expect(key('Tab')).toBeUndefined()
  expect(key('ArrowLeft', { count: 0 })).toEqual({ kind: 'cursor', index: undefined })
})
