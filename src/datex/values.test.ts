import { expect, it } from 'vitest'
import { cpuMilliseconds } from '../../test/fixtures/cpu-milliseconds.ts'
import { restrict } from './values.ts'

it('reads a list of numbers in time proportional to its length', () => {
  const pattern = String.raw`[-+]?[0-9]*\.?[0-9]+(\s[-+]?[0-9]*\.?[0-9]+){3,}`
  const convert = restrict({ base: 'LongString', pattern })
  const list = Array.from({ length: 60 }, () => '46').join(' ')
  expect(convert?.(list)).toBe(list)
  expect(convert?.('46 .5 1.25 -0.5')).toBe('46 .5 1.25 -0.5')
  const read = () => {
    expect(convert?.(`${list} 1e+21`)).toBeUndefined()
  }
  expect(cpuMilliseconds(read)).toBeLessThan(200)
})
