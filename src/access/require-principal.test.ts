import { describe, expect, it } from 'vitest'
import { AppError } from '../errors/index.ts'
import { authenticator } from '../http/index.ts'
import { anonymous, challenge, notBearer, requirePrincipal, requireRole } from './principal.ts'
import type { Verified } from './principal.ts'

const ada: Verified = {
  kind: 'verified',
  subject: '1',
  client: 'a-client',
  name: 'Ada',
  roles: new Set(['Event_Create']),
  token: 'good',
}
const authenticate = authenticator((token) =>
  Promise.resolve(
    token === 'good'
      ? { kind: 'verified', principal: ada, claims: {} }
      : { kind: 'rejected', reason: 'The token has expired' },
  ),
)

describe('A request', () => {
  it.each([undefined, '', '  '])('without a token is anonymous (%j)', async (authorization) => {
    expect(await authenticate({ authorization })).toEqual(anonymous)
  })

  it.each(['Bearer good', 'bearer good', 'BEARER  good '])(
    'with the header %j is authenticated',
    async (authorization) => {
      expect(await authenticate({ authorization })).toEqual(ada)
    },
  )

  it('with an invalid token is anonymous, and the challenge states the reason', async () => {
    const principal = await authenticate({ authorization: 'Bearer bad' })
    expect(principal).toEqual({ kind: 'anonymous', rejected: 'The token has expired' })
    expect(challenge(principal)).toBe(
      'Bearer realm="hub", error="invalid_token", error_description="The token has expired"',
    )
  })

  it.each(['Basic Z29vZDpnb29k', 'good', 'Bearer', 'Bearer good"\\', 'Bearer a b'])(
    'with the header %j is anonymous: it is not a bearer token',
    async (authorization) => {
      expect(await authenticate({ authorization })).toEqual({
        kind: 'anonymous',
        rejected: notBearer,
      })
    },
  )
})

describe('A path that needs a token', () => {
  it('accepts a valid token', () => {
    expect(requirePrincipal(ada)).toBe(ada)
  })

  it('responds with 401 to a missing token, and names the scheme', () => {
    expect(thrownBy(() => requirePrincipal(anonymous))).toMatchObject({
      code: 'HUB-ACC-001',
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="hub"' },
    })
  })

  it('responds with 401 to an invalid token, and states the reason', () => {
    const rejected = 'The token has expired'
    const error = thrownBy(() => requirePrincipal({ kind: 'anonymous', rejected }))
    expect(error).toMatchObject({ code: 'HUB-ACC-002', status: 401, message: `${rejected}.` })
    expect(error?.headers['www-authenticate']).toContain(`error_description="${rejected}"`)
    expect(error?.hint).toContain('Get a new token')
  })

  it('responds with 401 to a malformed header, and shows the correct form', async () => {
    const principal = await authenticate({ authorization: 'good' })
    expect(thrownBy(() => requirePrincipal(principal))).toMatchObject({
      code: 'HUB-ACC-002',
      message: 'The header is not of the form Authorization: Bearer <token>.',
      hint: 'Send the token as Authorization: Bearer <token>.',
    })
  })
})

describe('A path that needs a role', () => {
  it('accepts a caller with one of the roles', () => {
    expect(requireRole(ada, 'ADMIN', 'Event_Create')).toBe(ada)
  })

  it('responds with 403 to other callers, and names the roles', () => {
    const error = thrownBy(() => requireRole(ada, 'ADMIN', 'Event_Delete'))
    expect(error).toMatchObject({ code: 'HUB-ACC-003', status: 403 })
    expect(error?.message).toBe(
      'Ada may not do this: it needs one of the roles ADMIN, Event_Delete.',
    )
  })

  it('responds with 401 to an anonymous caller, who may have the role', () => {
    expect(thrownBy(() => requireRole(anonymous, 'ADMIN'))?.code).toBe('HUB-ACC-001')
  })
})

function thrownBy(work: () => unknown): AppError | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return error
  }
  return undefined
}
