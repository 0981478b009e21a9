import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRuleFile, toRules } from './rule-file.ts'

const any = { area: null, origin: null, type: null, dataType: null, period: null }

describe('A rule file', () => {
  it('is YAML or JSON, and its lists expand to a rule for each combination', () => {
    const yaml = `
rules:
  - role: GUEST
    area: timeseries
    type: [Bicycle, Flight]
    period: [300, 600]
  - role: BDP_A22
    origin: A22`
    const guest = { ...any, role: 'GUEST', area: 'timeseries' }
    const rules = [
      { ...guest, type: 'Bicycle', period: 300 },
      { ...guest, type: 'Bicycle', period: 600 },
      { ...guest, type: 'Flight', period: 300 },
      { ...guest, type: 'Flight', period: 600 },
      { ...any, role: 'A22', origin: 'A22' },
    ]
    expect(parseRuleFile(yaml)).toEqual(rules)
    expect(parseRuleFile(JSON.stringify({ rules }))).toEqual(rules)
    expect(parseRuleFile(JSON.stringify(rules))).toEqual(rules)
  })

  it.each([
    ['rules: [', 'The file is not valid YAML'],
    ['rules: 5', 'has a list named rules'],
    ['rules: [5]', 'Rule 1 is not an object'],
    ['rules: [{role: A}, {area: event}]', 'Rule 2: It needs a role'],
    ['rules: [{role: A, datatype: x}]', 'Rule 1: A rule has no datatype. Did you mean dataType?'],
    ['rules: [{role: A, xyz: x}]', 'Allowed: role, area, origin, type, dataType, period'],
    [
      'rules: [{role: A, area: events}]',
      'Allowed: content, timeseries, event. Did you mean event?',
    ],
    ['rules: [{role: A, area: [event, content]}]', 'one area'],
    ['rules: [{role: A, type: []}]', 'type is an empty list'],
    ['rules: [{role: A, period: []}]', 'period is an empty list'],
    ['rules: [{role: A, type: 5}]', 'type takes a text'],
    ['rules: [{role: A, origin: ""}]', 'origin takes a text'],
    ['rules: [{role: A, period: 1.5}]', 'period takes whole seconds, not 1.5'],
    ['rules: [{role: A, period: -1}]', 'period takes whole seconds'],
    ['rules: [{role: A, area: content, period: 5}]', 'the area is content'],
    ['rules: [{role: ADMIN}]', 'sees all closed data without any rule'],
    ['rules: [{role: BDP_VIEW_CLOSED_DATA}]', 'sees all closed data without any rule'],
    ['rules: [{role: HUB_ROLE_BASIC}]', 'about quotas'],
    ['rules: [{role: "BDP_A22 "}]', 'The role "BDP_A22 " has a space at an end. Write "A22".'],
    ['rules: [{role: "BDP_ A22"}]', 'The role "BDP_ A22" has a space at an end. Write "A22".'],
    ['rules: [{role: " BDP_A22"}]', 'The role " BDP_A22" has a space at an end. Write "BDP_A22".'],
    ['rules: [{role: [" ADMIN"]}]', 'has a space at an end'],
    ['rules: [{role: "  "}]', 'Rule 1: It needs a role'],
    ['rules: [{role: BDP_}]', 'Rule 1: It needs a role'],
  ])('%s is refused: %s', (text, words) => {
    expect(() => parseRuleFile(text)).toThrow(words)
  })

  it('keeps the prefix of roles in tokens that only resemble those of the hub', () => {
    const roles = ['BDP_GUEST', 'BDP_ADMIN', 'BDP_HUB_ROLE_X', 'BDP_BDP_A', 'GUEST', 'BDP_GUESTS']
    const named = (role: string) => toRules({ role }).map((rule) => rule.role)
    expect(roles.flatMap(named)).toEqual([...roles.slice(0, 5), 'GUESTS'])
    expect(roles.flatMap(named).flatMap(named)).toEqual(roles.flatMap(named))
  })

  it('cannot grow without limit through lists or YAML aliases', () => {
    const many = Array.from({ length: 1000 }, (_, n) => `v${String(n)}`)
    expect(() => toRules({ role: 'A', type: many, origin: many })).toThrow('more than 20000 rules')
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (const [n, name] of ['b', 'c', 'd', 'e', 'f', 'g'].entries()) {
      const before = `*${'abcdefg'.charAt(n)}`
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => before).join(',')}]`)
    }
    expect(() => parseRuleFile(bomb.join('\n'))).toThrow()
  })

  it('from the documentation can be imported', () => {
    const example = new URL('../../docs/examples/rules.yaml', import.meta.url)
    const rules = parseRuleFile(readFileSync(example, 'utf8'))
    expect(rules).toContainEqual({ ...any, role: 'GUEST', area: 'event', origin: 'PROVINCE_BZ' })
    expect(rules).toContainEqual({
      ...any,
      role: 'A22_ROADWEATHER',
      area: 'timeseries',
      origin: 'A22',
      type: 'RWISstation',
    })
  })

  it('with arbitrary content is read or refused, never with a TypeError', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (value, text) => {
        for (const content of [JSON.stringify({ rules: [value] }), text]) {
          try {
            for (const rule of parseRuleFile(content)) expect(rule.role).not.toBe('')
          } catch (error) {
            expect(error).not.toBeInstanceOf(TypeError)
          }
        }
      }),
    )
  })
})
