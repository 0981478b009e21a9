import { expect, it } from 'vitest'
import { toScales } from './chart-lines.ts'

it('gives the first two units an axis, and names the series of a third', () => {
  const { units, without } = toScales([
    { key: 'a', unit: '°C' },
    { key: 'b', unit: '' },
    { key: 'c', unit: '%' },
    { key: 'd', unit: '°C' },
  ])
  expect(units).toEqual(['°C', ''])
  expect([...without]).toEqual(['c'])
})
