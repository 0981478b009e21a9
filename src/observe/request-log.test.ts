import { describe, expect, it } from 'vitest'
import { withoutSecrets } from './request-log.ts'

describe('withoutSecrets', () => {
  it.each([
    ['/v2/flat?access_token=abc&limit=1', '/v2/flat?access_token=***&limit=1'],
    ['/x?limit=1&TOKEN=abc', '/x?limit=1&TOKEN=***'],
    ['/x?client_secret=a%26b&password=c', '/x?client_secret=***&password=***'],
    ['/x?tokens=1', '/x?tokens=1'],
  ])('logs %s as %s', (url, logged) => {
    expect(withoutSecrets(url)).toBe(logged)
  })
})
