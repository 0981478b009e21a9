import { expect, it } from 'vitest'
import { addressOf } from './query.ts'

it('writes what is given and leaves out what is not', () => {
  const query = { pagesize: 10, q: '', language: undefined, active: false, id: ['a', 'b c'] }
  expect(addressOf('/v1/Event', query)).toBe('/v1/Event?pagesize=10&active=false&id=a&id=b+c')
  expect(addressOf('/v1/Event')).toBe('/v1/Event')
})
