import { describe, expect, it } from 'vitest'
import { mergeRules } from './visibility.ts'
import type { AccessRule } from './rule-table.ts'

const rule = (members: Partial<AccessRule>): AccessRule => ({
  role: 'GUEST',
  area: null,
  origin: null,
  type: null,
  dataType: null,
  period: null,
  ...members,
})
const anything = { origin: null, type: null, dataType: null, period: null }

describe('Merged rules', () => {
  it('that differ in one field become one condition', () => {
    const origins = ['FAMAS', 'FBK', 'STA']
    const rules = origins.map((origin) => rule({ type: 'ParkingStation', origin }))
    expect(mergeRules(rules)).toEqual({
      boxes: [{ ...anything, type: ['ParkingStation'], origin: origins }],
      tuples: [],
    })
  })

  it('that cover all combinations become one condition', () => {
    const rules = ['A', 'B'].flatMap((origin) => ['X', 'Y'].map((type) => rule({ origin, type })))
    expect(mergeRules(rules).boxes).toEqual([{ ...anything, origin: ['A', 'B'], type: ['X', 'Y'] }])
  })

  it('leave out what a wider rule already covers', () => {
    const rules = [rule({ origin: 'A' }), rule({ origin: 'A', type: 'X' }), rule({ type: 'Y' })]
    expect(mergeRules(rules).boxes).toEqual([
      { ...anything, origin: ['A'] },
      { ...anything, type: ['Y'] },
    ])
  })

  it('keep a rule next to a wider one for other values', () => {
    const rules = [rule({ origin: 'A', type: 'X' }), rule({ origin: 'B' }), rule({ period: 60 })]
    expect(mergeRules(rules).boxes).toHaveLength(3)
  })

  it('reduce to "anything" when one rule matches anything', () => {
    expect(mergeRules([rule({ origin: 'A' }), rule({})]).boxes).toEqual([anything])
  })

  it('become few conditions even for a thousand different rules', () => {
    const rules = Array.from({ length: 1000 }, (_, index) =>
      rule({ origin: `origin ${String(index)}`, type: `type ${String(index)}` }),
    )
    const { boxes, tuples } = mergeRules(rules)
    expect(boxes).toEqual([])
    expect(tuples).toHaveLength(1)
    expect(tuples[0]?.members).toEqual(['origin', 'type'])
  })
})
