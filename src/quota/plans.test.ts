import { describe, expect, it } from 'vitest'
import type { Principal } from '../access/index.ts'
import { planOf, reasonOf, referrerOf } from './count-requests.ts'

const anonymous: Principal = { kind: 'anonymous' }
const nobody = { header: undefined, parameter: undefined }
const bearer = (...roles: readonly string[]): Principal => ({
  kind: 'verified',
  ...{ subject: 's', client: 'c', name: 'n', token: 't' },
  roles: new Set(roles),
})
const expired = { kind: 'anonymous', rejected: 'The token has expired' } as const

describe('The plan of a caller', () => {
  it.each([
    ['no token and no Referer', { ...nobody, principal: anonymous }, 5, 10],
    ['an empty Referer', { ...nobody, principal: anonymous, header: ' ' }, 5, 10],
    ['a Referer', { ...nobody, principal: anonymous, header: 'https://app.test' }, 100, 20],
    ['the parameter referer', { ...nobody, principal: anonymous, parameter: 'app' }, 100, 20],
    ['a token that does not count', { ...nobody, principal: expired }, 5, 10],
    [
      'a token that does not count, and a Referer',
      { ...nobody, principal: expired, header: 'app' },
      ...([100, 20] as const),
    ],
    ['a token', { ...nobody, principal: bearer('BDP_ANY', 'ADMIN') }, 1000, 50],
    ['a token and a Referer', { ...nobody, principal: bearer(), header: 'app' }, 1000, 50],
    ['HUB_ROLE_ADVANCED', { ...nobody, principal: bearer('HUB_ROLE_ADVANCED') }, undefined, 100],
    ['HUB_ROLE_PREMIUM', { ...nobody, principal: bearer('HUB_ROLE_PREMIUM') }, undefined, 200],
    ['HUB_ROLE_ADMIN', { ...nobody, principal: bearer('HUB_ROLE_ADMIN') }, undefined, undefined],
    ['a role in other letters', { ...nobody, principal: bearer('hub_role_admin') }, 1000, 50],
  ])('with %s', (_, caller, days, requests) => {
    expect(planOf(caller)).toMatchObject({ historyDays: days, requests })
  })

  it('is that of the highest role', () => {
    const nameOf = (...roles: readonly string[]) =>
      planOf({ ...nobody, principal: bearer(...roles) }).name
    expect(nameOf('HUB_ROLE_ADVANCED', 'HUB_ROLE_PREMIUM')).toBe('Premium')
    expect(nameOf('HUB_ROLE_PREMIUM', 'HUB_ROLE_ADMIN')).toBe('No restriction')
  })

  it('has a reason that names the deciding factor', () => {
    const why = (caller: Partial<Parameters<typeof reasonOf>[0]>) =>
      reasonOf({ ...nobody, principal: anonymous, ...caller })
    expect(why({})).toContain('no token')
    expect(why({ principal: expired })).toContain('The token has expired')
    expect(why({ header: 'app' })).toContain('named')
    expect(why({ principal: bearer() })).toContain('none of the roles HUB_ROLE_ADMIN')
    expect(why({ principal: bearer('HUB_ROLE_PREMIUM') })).toContain('the role HUB_ROLE_PREMIUM')
  })
})

describe('The application of a caller', () => {
  it.each([
    ['header', undefined, 'header'],
    ['header', 'parameter', 'parameter'],
    [undefined, ' parameter ', 'parameter'],
    ['header', ' ', 'header'],
    [' ', '', undefined],
    [undefined, undefined, undefined],
  ])('with header %j and parameter %j is %j', (header, parameter, application) => {
    expect(referrerOf({ header, parameter })).toBe(application)
  })
})
