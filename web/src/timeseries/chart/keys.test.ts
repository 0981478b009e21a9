import { expect, it } from 'vitest'
import { strokeOf } from './keys.ts'

const place = { count: 30, index: 10, at: 500, window: { from: 0, to: 1_000_000 } }
const key = (name: string, more: object = {}) =>
  strokeOf({ key: name, shiftKey: false }, { ...place, ...more })

it('steps through values, by one and by ten, and no farther than the first and the last', () => {
  expect(key('ArrowRight')).toEqual({ kind: 'cursor', index: 11 })
  expect(key('PageUp')).toEqual({ kind: 'cursor', index: 0 })
  expect(key('End')).toEqual({ kind: 'cursor', index: 29 })
  expect(key('ArrowRight', { index: 29 })).toEqual({ kind: 'cursor', index: 29 })
})

it('begins at the newest value', () => {
  expect(key('ArrowLeft', { index: undefined })).toEqual({ kind: 'cursor', index: 29 })
  expect(key('Home', { index: undefined })).toEqual({ kind: 'cursor', index: 0 })
})

it('moves and zooms what is shown, around the cursor', () => {
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
