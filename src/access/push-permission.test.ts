import { describe, expect, it } from 'vitest'
import type { Verified } from './principal.ts'
import { embeddedPushPermission, matchesPath } from './push-permission.ts'

const bearer = (client: string, ...roles: readonly string[]): Verified => ({
  kind: 'verified',
  subject: client,
  client,
  name: client,
  token: 't',
  roles: new Set(roles),
})

describe('A pattern', () => {
  it.each([
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/bc', false],
    ['/a/*', '/a/b', true],
    ['/a/*', '/ab/c', false],
    ['/a/*', '/a/', false],
    ['/a/*', '/A/b', false],
    ['/*', '/a/b', true],
    ['/a*', '/ab', false],
    ['/a/b*', '/a/bc', false],
    ['/*/b', '/a/b', false],
  ])('%s covers %s: %s', (pattern, path, covered) => {
    expect(matchesPath(pattern, path)).toBe(covered)
  })
})

describe('The hub lets a client push', () => {
  const grants = [{ client: 'pusher', pathPattern: '/provider/dataset' }]
  const { mayPush } = embeddedPushPermission(() => grants)

  it.each([
    ['where a grant lets it', bearer('pusher'), '/provider/dataset', true],
    ['but not elsewhere', bearer('pusher'), '/provider/other', false],
    ['but not on the grant of another', bearer('other'), '/provider/dataset', false],
    ['everywhere if it is an administrator', bearer('other', 'ADMIN'), '/x/y', true],
  ] as const)('%s', async (_, principal, path, allowed) => {
    expect(await mayPush(principal, path)).toBe(allowed)
  })

  it('by the grants as they are at that moment', async () => {
    let current = grants
    const permission = embeddedPushPermission(() => current)
    expect(await permission.mayPush(bearer('pusher'), '/provider/dataset')).toBe(true)
    current = []
    expect(await permission.mayPush(bearer('pusher'), '/provider/dataset')).toBe(false)
  })
})
