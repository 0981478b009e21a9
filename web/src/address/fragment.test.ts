import { expect, it } from 'vitest'
import { fragmentOf } from './fragment.ts'

it('reads the id of a place, also where it is not encoded as it should be', () => {
  expect(fragmentOf('#a%20b')).toBe('a b')
  expect(fragmentOf('#for-operators')).toBe('for-operators')
  expect(fragmentOf('')).toBe('')
  expect(fragmentOf('#%zz')).toBe('%zz')
})
