import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { all, any, empty, identifier, join, literal, sql } from './index.ts'

describe('sql', () => {
  it('binds values and numbers their placeholders across nested fragments', () => {
    const condition = sql`a = ${1} and b = ${'x'}`
    const statement = sql`select ${true} from t where ${condition} limit ${10}`
    expect(statement.text).toBe('select $1 from t where a = $2 and b = $3 limit $4')
    expect(statement.values).toEqual([true, 1, 'x', 10])
  })

  it('never lets a value into the text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (values) => {
        const statement = join(
          values.map((value) => sql`f(${value})`),
          ', ',
        )
        expect(statement.text.replace(/\$\d+/g, '')).toMatch(/^(f\(\)(, )?)+$/)
        expect(statement.values).toEqual(values)
      }),
    )
  })

  it('refuses undefined, which would silently become null', () => {
    expect(() => sql`select ${undefined}`).toThrow('undefined cannot be bound')
  })

  it('quotes identifiers from catalogues', () => {
    expect(identifier('we"ird').text).toBe('"we""ird"')
  })

  it('quotes the names of fields, and refuses any other text', () => {
    expect(literal('Detail.*.Title').text).toBe("'Detail.*.Title'")
    expect(() => literal("x'; drop table y")).toThrow('is not the name of a field')
  })

  it('matches everything for "all" and nothing for "any" without conditions', () => {
    expect(all([]).text).toBe('true')
    expect(any([]).text).toBe('false')
    expect(all([sql`a`, sql`b`]).text).toBe('(a and b)')
    expect(any([sql`a`, sql`b`]).text).toBe('(a or b)')
    expect(join([], ', ').text).toBe(empty.text)
  })
})
