import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors/index.ts'
import { assertNothingIgnored, readQuery } from './query.ts'

const schema = Type.Object({
  pagenumber: Type.Integer({ default: 1, minimum: 1 }),
  latitude: Type.Optional(Type.Number()),
  active: Type.Optional(Type.Boolean()),
  form: Type.Optional(Type.Enum(['json', 'html'])),
  shownull: Type.Optional(Type.Boolean({ 'x-words': true })),
  fields: Type.Optional(Type.Array(Type.String())),
  language: Type.Optional(Type.String({ pattern: '^[a-z]+$' })),
})

const read = (raw: Record<string, unknown>) => readQuery(schema, raw).values

function failure(run: () => unknown): AppError {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('nothing was thrown')
}

describe('readQuery', () => {
  it('converts values by the schema and fills in defaults', () => {
    expect(read({ latitude: '46.5', active: 'TRUE', fields: 'Id,Detail.en' })).toEqual({
      pagenumber: 1,
      latitude: 46.5,
      active: true,
      fields: ['Id', 'Detail.en'],
    })
  })

  it('matches names in any case', () => {
    expect(read({ PageNumber: '3' })).toEqual({ pagenumber: 3 })
  })

  it('treats the text null and the empty text as missing', () => {
    expect(read({ pagenumber: 'null', active: '', language: 'null' })).toEqual({ pagenumber: 1 })
  })

  it('joins a repeated list and refuses a repeated scalar', () => {
    expect(read({ fields: ['a', 'b,c'] })['fields']).toEqual(['a', 'b', 'c'])
    expect(failure(() => read({ pagenumber: ['1', '2'] })).code).toBe('HUB-QRY-002')
    expect(failure(() => read({ pagenumber: '1', PAGENUMBER: '2' })).code).toBe('HUB-QRY-002')
  })

  it.each([
    ['pagenumber', '0'],
    ['pagenumber', 'abc'],
    ['pagenumber', '1.5'],
    ['pagenumber', '1e3'],
    ['pagenumber', '99999999999999999999'],
    ['latitude', '46,5'],
    ['latitude', 'NaN'],
    ['active', 'yes'],
    ['language', 'DE'],
  ])('refuses %s=%s and names the parameter', (name, value) => {
    const error = failure(() => read({ [name]: value }))
    expect(error.code).toBe('HUB-QRY-001')
    expect(error.issues[0]?.parameter).toBe(name)
    expect(error.message).toContain(name)
  })

  it('accepts every integer that a number represents exactly, and no other', () => {
    expect(read({ pagenumber: '9007199254740991' })).toEqual({ pagenumber: 9_007_199_254_740_991 })
    expect(failure(() => read({ pagenumber: '9007199254740992' })).code).toBe('HUB-QRY-001')
  })

  it.each([
    ['active', ['true', 'false']],
    ['form', ['json', 'html']],
    ['shownull', ['true', 'yes', 'on', '1', 'false', 'no', 'off', '0']],
  ])('lists the values that %s accepts', (parameter, expected) => {
    const { message, issues } = failure(() => read({ [parameter]: 'maybe' }))
    expect(message).toBe(`${parameter} must be one of ${expected.join(', ')}, not "maybe".`)
    expect(issues).toMatchObject([{ parameter, expected }])
  })

  it('reports unknown parameters, and strict handling refuses them with the nearest name', () => {
    const { ignored } = readQuery(schema, { pagenumer: '2', x: '1' })
    expect(ignored).toEqual(['pagenumer', 'x'])
    const error = failure(() => {
      assertNothingIgnored(schema, ignored)
    })
    expect(error.code).toBe('HUB-QRY-003')
    expect(error.issues[0]?.hint).toBe('Did you mean pagenumber?')
  })

  it('accepts the parameter referer, in any case, on paths that do not describe it', () => {
    expect(readQuery(schema, { Referer: 'https://app.test', x: '1' }).ignored).toEqual(['x'])
  })

  it('limits the number and length of the reported faults', () => {
    const names = Array.from({ length: 2300 }, (_, at) => `p${String(at)}`)
    const unknown = failure(() => {
      assertNothingIgnored(schema, names)
    })
    expect(unknown.message).toMatch(/^Unknown parameters: p0, .*, p19, and 2280 more\.$/)
    expect(unknown.issues).toHaveLength(20)
    const long = failure(() => read({ language: 'x'.repeat(8000).toUpperCase() }))
    expect(JSON.stringify([long.message, long.issues]).length).toBeLessThan(1000)
    const issues = names.map((detail) => ({ detail }))
    const many = new AppError('HUB-BDY-006', 'x', { issues })
    expect(many.issues).toHaveLength(101)
    expect(many.issues.at(-1)).toEqual({ detail: 'and 2200 more faults' })
  })

  it('treats names of the object prototype as unknown', () => {
    expect(readQuery(schema, { constructor: 'x', toString: 'y' }).ignored).toEqual([
      'constructor',
      'toString',
    ])
  })
})
