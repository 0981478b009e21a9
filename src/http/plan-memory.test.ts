import { expect, it } from 'vitest'
import { rememberPlans } from './plan-memory.ts'

it('makes a plan once for each text, format and set of rights', () => {
  const find = rememberPlans<{ readonly number: number }>(10)
  let made = 0
  const make = () => ({ number: ++made })
  const [one, other] = [{}, {}]
  const ask = (text: string, rights: object, headers = {}) =>
    find({ headers }, { text, rights }, make).number
  expect(ask('?limit=1', one)).toBe(1)
  expect(ask('?limit=1', one)).toBe(1)
  expect(ask('?limit=2', one)).toBe(2)
  expect(ask('?limit=1', other)).toBe(3)
  expect(ask('?limit=1', one, { accept: 'text/csv' })).toBe(4)
  expect(ask('?limit=1', one, { prefer: 'handling=strict' })).toBe(5)
  expect(ask('?limit=1', other)).toBe(3)
})

it('caches at most the given number of plans, and none for long texts', () => {
  const find = rememberPlans<{ readonly number: number }>(2)
  const rights = {}
  let made = 0
  const ask = (text: string) =>
    find({ headers: {} }, { text, rights }, () => ({ number: ++made })).number
  expect(['a', 'b', 'c', 'c', 'a'].map(ask)).toEqual([1, 2, 3, 3, 4])
  const long = 'x'.repeat(400)
  expect([long, long].map(ask)).toEqual([5, 6])
})

it('does not cache a plan that failed', () => {
  const find = rememberPlans(10)
  const ask = (make: () => object) => find({ headers: {} }, { text: '', rights: {} }, make)
  const fail = () => {
    throw new Error('no plan')
  }
  expect(() => ask(fail)).toThrow('no plan')
  expect(ask(() => ({ made: true }))).toEqual({ made: true })
})
