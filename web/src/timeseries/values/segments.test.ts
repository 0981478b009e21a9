import { expect, it } from 'vitest'
import { textsOf, toSegments } from './segments.ts'

const window = { from: 0, to: 100 }

it('joins values that say the same, and ends a stretch where a gap begins', () => {
  const samples = { times: [0, 10, 20, 60], values: ['dry', 'dry', 'wet', 'wet'] }
  expect(toSegments(samples, 15, window)).toEqual([
    { from: 0, to: 20, text: 'dry' },
    { from: 20, to: 30, text: 'wet' },
    { from: 60, to: 70, text: 'wet' },
  ])
})

it('lets a value last until the next where nobody knows how often they come', () => {
  expect(toSegments({ times: [50], values: ['dry'] }, 0, window)).toEqual([
    { from: 50, to: 100, text: 'dry' },
  ])
})

it('shows no more than the window', () => {
  expect(toSegments({ times: [-10, 90], values: ['a', 'b'] }, 0, window)).toEqual([
    { from: 0, to: 90, text: 'a' },
    { from: 90, to: 100, text: 'b' },
  ])
})

it('names texts by how long they lasted', () => {
  const segments = toSegments({ times: [0, 10], values: ['a', 'b'] }, 0, window)
  expect(textsOf(segments)).toEqual(['b', 'a'])
})
