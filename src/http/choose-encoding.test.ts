import { expect, it } from 'vitest'
import { chooseEncoding } from './negotiate.ts'

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['GZIP ; Q=0.8', 'gzip'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0', 'identity'],
  ['deflate', 'identity'],
  ['br;q=many', 'identity'],
])('Accept-Encoding %s selects %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding)
})
