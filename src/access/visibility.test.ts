import { describe, expect, it } from 'vitest'
import { anonymous } from './principal.ts'
import type { Principal } from './principal.ts'
import type { AccessRule } from './rule-table.ts'
import { toRules } from './rule-file.ts'
import { visibilityUnder } from './rule-table.ts'

const any = { area: null, origin: null, type: null, dataType: null, period: null }
const guest: AccessRule = { ...any, role: 'GUEST', origin: 'SIAG' }
const a22: AccessRule = { ...any, role: 'A22', origin: 'A22' }
const admin: AccessRule = { ...any, role: 'ADMIN', origin: 'X' }
const visibility = visibilityUnder([guest, a22, admin])

const bearer = (...roles: readonly string[]): Principal => ({
  kind: 'verified',
  subject: '1',
  client: 'c',
  name: 'c',
  token: 't',
  roles: new Set(roles),
})

describe('The closed data that a caller sees', () => {
  it('is what GUEST rules open, for every caller', () => {
    expect(visibility(anonymous)).toEqual({ kind: 'rules', rules: [guest] })
    expect(visibility(bearer())).toEqual({ kind: 'rules', rules: [guest] })
  })

  it('includes what the rules of a BDP_ role open', () => {
    expect(visibility(bearer('BDP_A22'))).toEqual({ kind: 'rules', rules: [guest, a22] })
  })

  it.each(['ADMIN', 'BDP_VIEW_CLOSED_DATA'])('is everything with the role %s', (role) => {
    expect(visibility(bearer(role))).toEqual({ kind: 'everything' })
  })

  it.each([
    ...['A22', 'bdp_A22', 'BDP_a22', 'BDP_BDP_A22', 'BDP_UNKNOWN'],
    ...['HUB_ROLE_PREMIUM', 'BDP_ADMIN', 'BDP_ADMIN_X', 'BDP_'],
  ])('does not grow with the role %s', (role) => {
    expect(visibility(bearer(role))).toEqual({ kind: 'rules', rules: [guest] })
  })

  it('by a rule for BDP_GUEST is that of its holders, not of everybody', () => {
    const rules = toRules({ role: 'BDP_GUEST' })
    const own = visibilityUnder(rules)
    expect(own(anonymous)).toEqual({ kind: 'rules', rules: [] })
    expect(own(bearer('BDP_BDP_GUEST'))).toEqual({ kind: 'rules', rules: [] })
    expect(own(bearer('BDP_GUEST'))).toEqual({ kind: 'rules', rules })
  })

  it('is the same object for callers who see the same, which allows caching', () => {
    expect(visibility(bearer('BDP_A22', 'x'))).toBe(visibility(bearer('y', 'BDP_A22')))
    expect(visibility(bearer('BDP_UNKNOWN'))).toBe(visibility(anonymous))
  })
})
