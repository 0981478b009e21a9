import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toScale } from './scale.ts'

test('A few different numbers each have a colour, from light to dark', () => {
  const { steps, paintOf } = toScale([1, 0, 1, 0, 1])
  expect(steps).toEqual([
    { kind: 'value', paint: 'step0', value: 0 },
    { kind: 'value', paint: 'step5', value: 1 },
  ])
  expect(paintOf(1)).toBe('step5')
})

test('Many numbers are divided into steps with equally many numbers', () => {
  const numbers = Array.from({ length: 60 }, (_, index) => index)
  const { steps, paintOf } = toScale(numbers)
  expect(steps.map((step) => step.kind === 'range' && [step.from, step.to])).toEqual([
    [0, 9],
    [10, 19],
    [20, 29],
    [30, 39],
    [40, 49],
    [50, 59],
  ])
  expect(paintOf(25)).toBe('step2')
})

test('Words have a colour each, most frequent first, and rare ones share a grey', () => {
  const words = [
    'dry',
    'wet',
    'dry',
    ...Array.from({ length: 8 }, (_, index) => `rare ${String(index)}`),
  ]
  const { steps, paintOf } = toScale(words)
  expect(steps).toHaveLength(8)
  expect(steps[0]).toEqual({ kind: 'value', paint: 'kind0', value: 'dry' })
  expect(paintOf('dry')).toBe('kind0')
  expect(paintOf('rare 7')).toBe('stale')
})

test('Without measurements there is no legend', () => {
  const { steps, paintOf } = toScale([undefined])
  expect(steps).toEqual([])
  expect(paintOf(undefined)).toBe('stale')
})

test('Every number has a step, and a larger number is never lighter', () => {
  const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 })
  fc.assert(
    fc.property(numbers, (values) => {
      const { steps, paintOf } = toScale(values)
      const paints = values.toSorted((a, b) => a - b).map(paintOf)
      expect(paints).toEqual(paints.toSorted())
      expect(new Set(paints).size).toBeLessThanOrEqual(steps.length)
      expect(paints).not.toContain('stale')
    }),
  )
})
