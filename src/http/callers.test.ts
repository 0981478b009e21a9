import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMilliseconds } from '../../test/fixtures/cpu-milliseconds.ts'
import { forwardedFor, loggedAddress, networkOf } from './request-hooks.ts'

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:0:0:ffff::2', '2001:db8:0:0'],
  ['2001:db8:0:1::1', '2001:db8:0:1'],
  ['::1', '0:0:0:0'],
  ['nowhere', 'nowhere'],
])('counts %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it.each([
  ['192.0.2.77', '192.0.2.0'],
  ['::ffff:192.0.2.77', '192.0.2.0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['2001:db8::6', '2001:db8:0::'],
  ['::1', '0:0:0::'],
  ['', undefined],
])('shortens %s to its network', (address, network) => {
  expect(loggedAddress('shortened')(address)).toBe(network)
})

it('logs a full address or none', () => {
  expect(loggedAddress('full')('192.0.2.77')).toBe('192.0.2.77')
  expect(loggedAddress('none')('192.0.2.77')).toBeUndefined()
})

describe('The header Forwarded', () => {
  it.each([
    ['for=192.0.2.60;proto=http;by=203.0.113.43', ['192.0.2.60']],
    ['For="[2001:db8:cafe::17]:4711"', ['2001:db8:cafe::17']],
    ['for=192.0.2.43, FOR=198.51.100.17;by=x', ['192.0.2.43', '198.51.100.17']],
    ['for="192.0.2.43:47011",for=unknown', ['192.0.2.43', 'unknown']],
    ['proto=https, for=_hidden', ['unknown', '_hidden']],
    ['for="a, for=192.0.2.1"', ['unknown']],
    [String.raw`for="192.0.2.\1"`, ['192.0.2.1']],
    ['for="192.0.2.1', []],
    ['192.0.2.1', []],
    ['', []],
  ])('with the value %s names %j', (field, addresses) => {
    expect(forwardedFor(field)).toEqual(addresses)
  })

  it('names only addresses and identifiers, for any value', () => {
    const piece = fc.constantFrom(
      'for=',
      'by=',
      '"',
      ',',
      ';',
      '[',
      ']',
      ':',
      '::1',
      '\\',
      ' ',
      'a',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        for (const one of forwardedFor(pieces.join(''))) expect(one).toMatch(/^[\w.:-]+$/)
      }),
    )
  })

  it('is parsed in time linear in its length', () => {
    const read = () => {
      for (const text of ['for=a,', 'for="', 'for=\\"\\', ' ', 'a']) forwardedFor(text.repeat(5000))
    }
    expect(cpuMilliseconds(read)).toBeLessThan(200)
  })
})
