import { describe, expect, it } from 'vitest'
import type { Principal } from '../access/index.ts'
import { planOf } from './plan-of.ts'

const anonymous: Principal = { kind: 'anonymous' }
const nobody = { header: undefined, parameter: undefined }
const bearer = (...roles: readonly string[]): Principal => ({
  kind: 'verified',
  ...{ subject: 's', client: 'c', name: 'n', token: 't' },
  roles: new Set(roles),
})

describe('The plan of a caller', () => {
  it.each([
    ['no token and no Referer', { ...nobody, principal: anonymous }, 5],
    ['an empty Referer', { ...nobody, principal: anonymous, header: ' ' }, 5],
    ['a Referer', { ...nobody, principal: anonymous, header: 'https://app.test' }, 100],
    ['the parameter referer', { ...nobody, principal: anonymous, parameter: 'app' }, 100],
    [
      'a token that does not count',
      { ...nobody, principal: { kind: 'anonymous', rejected: 'expired' } as const },
      5,
    ],
    ['a token', { ...nobody, principal: bearer('BDP_ANY', 'ADMIN') }, 1000],
    ['HUB_ROLE_ADVANCED', { ...nobody, principal: bearer('HUB_ROLE_ADVANCED') }, undefined],
  ])('with %s', (_, caller, days) => {
    expect(planOf(caller).historyDays).toBe(days)
  })

  it('is that of the largest role', () => {
    const nameOf = (...roles: readonly string[]) =>
      planOf({ ...nobody, principal: bearer(...roles) }).name
    expect(nameOf('HUB_ROLE_ADVANCED', 'HUB_ROLE_PREMIUM')).toBe('Premium')
    expect(nameOf('HUB_ROLE_PREMIUM', 'HUB_ROLE_ADMIN')).toBe('No restriction')
  })
})
