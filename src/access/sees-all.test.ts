import { describe, expect, it } from 'vitest'
import type { AccessRule, Visibility } from './rule-table.ts'
import { seesAll } from './visibility.ts'

const any = { role: 'GUEST', area: null, origin: null, type: null, dataType: null, period: null }

const under = (...rules: readonly Partial<AccessRule>[]): Visibility => ({
  kind: 'rules',
  rules: rules.map((rule) => ({ ...any, ...rule })),
})

describe('A caller sees all that is requested', () => {
  it('when everything is open to them', () => {
    expect(seesAll({ kind: 'everything' }, 'content')).toBe(true)
  })

  it.each([
    ['a rule for anything', under({}), {}],
    ['a rule for anything of the area', under({ area: 'event' }), {}],
    ['a rule for the only type', under({ type: 'X' }), { types: ['X'] }],
    ['a rule for each type', under({ type: 'X' }, { type: 'Y' }), { types: ['Y', 'X'] }],
    ['a rule for the origin', under({ origin: 'A' }), { origins: ['A'] }],
    ['a rule for the pair', under({ origin: 'A', type: 'X' }), { origins: ['A'], types: ['X'] }],
    [
      'rules that cover all pairs together',
      under({ type: 'X' }, { origin: 'A', type: 'Y' }),
      { origins: ['A'], types: ['X', 'Y'] },
    ],
  ])('with %s', (_, visibility, asked) => {
    expect(seesAll(visibility, 'event', asked)).toBe(true)
  })

  it.each([
    ['no rule', under(), {}],
    ['a rule of another area', under({ area: 'content' }), {}],
    ['a rule for one type, when any type is requested', under({ type: 'X' }), {}],
    ['a rule for one of two types', under({ type: 'X' }), { types: ['X', 'Y'] }],
    ['a rule for one origin of the type', under({ origin: 'A', type: 'X' }), { types: ['X'] }],
    ['a rule for one data type', under({ type: 'X', dataType: 't' }), { types: ['X'] }],
    ['a rule for one period', under({ type: 'X', period: 60 }), { types: ['X'] }],
  ])('but not with %s', (_, visibility, asked) => {
    expect(seesAll(visibility, 'event', asked)).toBe(false)
  })
})
