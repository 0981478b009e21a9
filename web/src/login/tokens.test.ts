import { expect, it } from 'vitest'
import { readPerson } from './tokens.ts'

const tokenOf = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`

it('reads who somebody is, also beyond ASCII', () => {
  const claims = { preferred_username: 'jürgen', realm_access: { roles: ['BDP_A22'] } }
  expect(readPerson(tokenOf(claims))).toEqual({ name: 'jürgen', roles: ['BDP_A22'] })
})

it('knows nobody from what is not a token', () => {
  for (const token of ['', 'opaque', 'a.%.c', tokenOf([1])]) {
    expect(readPerson(token)).toEqual({ name: '', roles: [] })
  }
})
