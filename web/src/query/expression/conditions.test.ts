import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparisonsOf, isComplete, toTyped, valuesTaken } from './conditions.ts'
import type { Condition, Conditions, ValueKind } from './conditions.ts'
import { readConditions, writeConditions } from './station-conditions.ts'

const kinds: readonly ValueKind[] = ['text', 'number', 'boolean', 'time']

/** Any text that a record can hold. */
const text = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .filter((one) => !one.includes('\0') && one.isWellFormed())

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 16))
  .map((minute) => toTyped(`${minute}:00Z`))

const valueOf: Readonly<Record<ValueKind, fc.Arbitrary<string>>> = {
  text,
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => String(one + 0)),
  boolean: fc.constantFrom('true', 'false'),
  time: day,
}

const pathOf = {
  rawfilter: ['Active', 'Detail.de.Title', 'Tags.[*].Id'],
  where: ['scode', 'smetadata.a.0'],
}

function conditionsOf(language: 'rawfilter' | 'where'): fc.Arbitrary<Conditions> {
  const condition = fc
    .constantFrom(...kinds)
    .chain((kind) => fc.tuple(fc.constant(kind), fc.constantFrom(...comparisonsOf(kind))))
    .chain(([kind, comparison]) => {
      const taken = valuesTaken(comparison)
      const values =
        taken === 'none'
          ? fc.constant([])
          : fc.array(valueOf[kind], { minLength: 1, maxLength: taken === 'one' ? 1 : 4 })
      return fc.record<Condition>({
        path: fc.constantFrom(...pathOf[language]),
        comparison: fc.constant(comparison),
        kind: fc.constant(taken === 'none' ? 'text' : kind),
        values,
      })
    })
  return fc.record<Conditions>({
    join: fc.constantFrom('and', 'or'),
    of: fc.array(condition, { minLength: 2, maxLength: 5 }),
  })
}

describe.each(['rawfilter', 'where'] as const)('rows of %s', (language) => {
  it('are read back from the expression that they write, with any values', () => {
    fc.assert(
      fc.property(conditionsOf(language), (conditions) => {
        expect(readConditions(language, writeConditions(language, conditions))).toEqual(conditions)
      }),
    )
  })

  it('are empty without an expression', () => {
    expect(readConditions(language, ' ')).toEqual({ join: 'and', of: [] })
    expect(writeConditions(language, { join: 'or', of: [] })).toBe('')
  })

  it('are not written while they are incomplete', () => {
    const begun: Condition = { path: 'a', comparison: 'is', kind: 'text', values: [] }
    const whole: Condition = { ...begun, comparison: 'there' }
    expect(writeConditions(language, { join: 'or', of: [begun, whole] })).toBe(
      writeConditions(language, { join: 'and', of: [whole] }),
    )
  })
})

it.each([
  ['rawfilter', 'and(eq(Active,true),gt(Altitude,1200))'],
  ['rawfilter', "or(like(Detail.de.Title,'it''s'),in(Tags.[*].Id,'a','b'))"],
  ['rawfilter', "ge(LastChange,dt'2026-01-31')"],
  ['rawfilter', 'isnull(Detail.ru)'],
  ['where', 'sactive.eq.true,smetadata.capacity.gteq.100'],
  ['where', String.raw`or(sname.ire."a\\.b",scode.in.("1","2"))`],
  ['where', 'mvalidtime.gt.2026-11-20T10:15'],
  ['where', 'pcode.eq.null'],
] as const)('%s %s is written as it was read', (language, expression) => {
  const rows = readConditions(language, expression)
  expect(rows).toBeDefined()
  expect(writeConditions(language, rows ?? { join: 'and', of: [] })).toBe(expression)
})

it.each([
  ['rawfilter', 'not(eq(Active,true))'],
  ['rawfilter', 'and(eq(A,1),or(eq(B,1),eq(C,1)))'],
  ['rawfilter', "likein(A,'x','/y/')"],
  ['rawfilter', 'eq(ImageGallery,[])'],
  ['rawfilter', "in(A,1,'x')"],
  ['rawfilter', 'eq(A,inf)'],
  ['rawfilter', 'eq(A,'],
  ['where', 'or(and(sactive.eq.true,scode.eq."1"),scode.eq."2")'],
  ['where', 'scoordinate.bbi.(11,46,12,47)'],
  ['where', 'sname.re."^a"'],
  ['where', 'sname.ire."a.b"'],
  ['where', 'scode.eq.'],
] as const)('%s %s cannot be shown as rows', (language, expression) => {
  expect(readConditions(language, expression)).toBeUndefined()
})

it('recognizes a complete row', () => {
  const row: Condition = { path: 'A', comparison: 'is', kind: 'number', values: ['1e3'] }
  expect(isComplete(row)).toBe(true)
  expect(isComplete({ ...row, path: '' })).toBe(false)
  expect(isComplete({ ...row, values: ['much'] })).toBe(false)
  expect(isComplete({ ...row, kind: 'time', values: ['2026-02-40'] })).toBe(false)
  expect(isComplete({ ...row, kind: 'boolean', values: ['perhaps'] })).toBe(false)
})
