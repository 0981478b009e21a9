import { expect, it } from 'vitest'
import { toScales } from './chart-lines.ts'

it('assigns an axis to the first two units, and lists the series of a third', () => {
  const { units, without } = toScales([
    { key: 'a', unit: '°C' },
    { key: 'b', unit: '' },
    { key: 'c', unit: '%' },
    { key: 'd', unit: '°C' },
  ])
  expect(units).toEqual(['°C', ''])
  expect([...without]).toEqual(['c'])
})
