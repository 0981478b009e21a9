import { expect, it } from 'vitest'
import { loggedAddress } from './logged-address.ts'

it.each([
  ['192.0.2.77', '192.0.2.0'],
  ['::ffff:192.0.2.77', '192.0.2.0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['2001:db8::6', '2001:db8:0::'],
  ['::1', '0:0:0::'],
  ['', undefined],
])('shortens %s to its network', (address, network) => {
  expect(loggedAddress(address, 'shortened')).toBe(network)
})

it('tells all of an address, or nothing', () => {
  expect(loggedAddress('192.0.2.77', 'full')).toBe('192.0.2.77')
  expect(loggedAddress('192.0.2.77', 'none')).toBeUndefined()
})
