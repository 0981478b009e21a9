import { describe, expect, it } from 'vitest'
import { hideSecrets, withoutSecrets } from './hide-secrets.ts'

describe('withoutSecrets', () => {
  it.each([
    ['/v2/flat?access_token=abc&limit=1', '/v2/flat?access_token=***&limit=1'],
    ['/x?limit=1&TOKEN=abc', '/x?limit=1&TOKEN=***'],
    ['/x?client_secret=a%26b&password=c', '/x?client_secret=***&password=***'],
    ['/x?%61ccess_token=abc', '/x?%61ccess_token=***'],
    [
      '/x?refresh_token=a&id_token_hint=b&code=c',
      '/x?refresh_token=***&id_token_hint=***&code=***',
    ],
    ['/x?%E0%A4%A=1&token=abc', '/x?%E0%A4%A=1&token=***'],
    ['/x?tokens=1', '/x?tokens=1'],
    ['/x?where=scode.eq."a"&select=tname', '/x?where=scode.eq."a"&select=tname'],
    ['/token', '/token'],
  ])('logs %s as %s', (url, logged) => {
    expect(withoutSecrets(url)).toBe(logged)
  })
})

describe('hideSecrets', () => {
  it.each([
    [
      'connect postgres://hub:p%40ss@db:5432/hub failed',
      'connect postgres://hub:***@db:5432/hub failed',
    ],
    ['postgres://hub:a@b@db/hub', 'postgres://hub:***@db/hub'],
    ['rediss://:pass@cache', 'rediss://:***@cache'],
    ['"Bearer abcdefghijkl" and basic YWRtaW46c2VjcmV0', '"Bearer ***" and basic ***'],
    ['sent eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'sent ***'],
    ['http://hub.test:8080/v1/a@b is ready', 'http://hub.test:8080/v1/a@b is ready'],
    [
      'http://localhost:8080 and mailto:me@example.org',
      'http://localhost:8080 and mailto:me@example.org',
    ],
  ])('writes %s as %s', (text, written) => {
    expect(hideSecrets(text)).toBe(written)
  })
})
