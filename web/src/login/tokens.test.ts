import { expect, it } from 'vitest'
import { readPerson } from './tokens.ts'

const tokenOf = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`

it('reads the name and roles of a user, also beyond ASCII', () => {
  const claims = { preferred_username: 'jürgen', realm_access: { roles: ['BDP_A22'] } }
  expect(readPerson(tokenOf(claims))).toEqual({ name: 'jürgen', roles: ['BDP_A22'] })
})

it('reads no user from an invalid token', () => {
  for (const token of ['', 'opaque', 'a.%.c', tokenOf([1])]) {
    expect(readPerson(token)).toEqual({ name: '', roles: [] })
  }
})
