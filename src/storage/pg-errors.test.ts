import fc from 'fast-check'
import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors/index.ts'
import { conditionAfter, isUniqueViolation, translateError } from './pg-errors.ts'
import { findUnstorable } from '../lang/json.ts'

function databaseError(code: string, message = 'as PostgreSQL says it'): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code })
}

const systemError = (code: string) => Object.assign(new Error(`connect ${code}`), { code })

describe('translateError', () => {
  it('turns a canceled statement into HUB-SRV-003, with a time to retry', () => {
    const translated = translateError(databaseError('57014'))
    expect(translated).toBeInstanceOf(AppError)
    expect(translated).toMatchObject({ code: 'HUB-SRV-003', status: 503 })
    expect(translated).toHaveProperty('headers.Retry-After')
  })

  const unreachable = [
    ...['08006', '08P01', '57P01', '57P02', '57P03', '53300'].map((code) => databaseError(code)),
    ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE'].map(systemError),
    new AggregateError([systemError('ECONNREFUSED'), systemError('ECONNREFUSED')]),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
  ]
  it.each(unreachable.map((error) => [String(error), error]))(
    'turns "%s" into HUB-SRV-002',
    (_, error) => {
      expect(translateError(error)).toMatchObject({
        code: 'HUB-SRV-002',
        status: 503,
        cause: error,
      })
      expect(conditionAfter(error)).toBe('broken')
    },
  )

  it('never shows the message of the database to the caller', () => {
    const translated = translateError(databaseError('57P01', 'secret words'))
    expect(JSON.stringify({ ...Object(translated), message: String(translated) })).not.toContain(
      'secret words',
    )
  })

  it('returns any other error unchanged, with the text of its statement for the log', () => {
    const error = databaseError('23505')
    expect(translateError(error, 'insert into t values ($1)')).toBe(error)
    expect(error).toHaveProperty('statement', 'insert into t values ($1)')
    expect(isUniqueViolation(error)).toBe(true)
  })

  it('stores a canceled statement in the cause, not in the error for the caller', () => {
    const cause = databaseError('57014')
    const translated = translateError(cause, 'select pg_sleep($1)')
    expect(cause).toHaveProperty('statement', 'select pg_sleep($1)')
    expect(translated).not.toHaveProperty('statement')
  })

  it('leaves an AppError unchanged', () => {
    const error = new AppError('HUB-QRY-001', 'wrong')
    expect(translateError(error, 'select 1')).toBe(error)
    expect(error).not.toHaveProperty('statement')
  })
})

describe('conditionAfter', () => {
  it('keeps a connection after an error that the server reported', () => {
    expect(conditionAfter(databaseError('23505'))).toBe('usable')
  })

  it('discards a connection after any other error', () => {
    expect(conditionAfter(new Error('what is this'))).toBe('broken')
    expect(conditionAfter(databaseError('0A000', 'cached plan must not change result type'))).toBe(
      'broken',
    )
  })
})

const half = '\ud83d'

function nested(levels: number): unknown {
  return Array.from({ length: levels }).reduce((inner) => [inner], 'x')
}

describe('A value that cannot be stored', () => {
  it.each([
    ['a\u0000b', '', 'NUL'],
    [half, '', 'surrogate'],
    [Infinity, '', 'out of range'],
    [['a', 1, 'b\u0000'], '/2', 'NUL'],
    [[1, [2, NaN]], '/1/1', 'out of range'],
    [{ a: { 'x/y~z': [half] } }, '/a/x~1y~0z/0', 'surrogate'],
    [{ ['n\u0000']: 1 }, '/n\u0000', 'NUL'],
    [{ first: half, second: 'a\u0000' }, '/first', 'surrogate'],
  ])('is found in %j at %j', (value, pointer, reason) => {
    const fault = findUnstorable(value, '')
    expect(fault?.pointer).toBe(pointer)
    expect(fault?.reason).toContain(reason)
  })

  it('is reported below the pointer of the value itself', () => {
    expect(findUnstorable([half], '/items/3')?.pointer).toBe('/items/3/0')
  })

  it('is one nested deeper than 100 levels', () => {
    expect(findUnstorable(nested(100), '')).toBeUndefined()
    const fault = findUnstorable(nested(101), '')
    expect(fault).toEqual({
      pointer: '/0'.repeat(101),
      reason: 'is nested deeper than 100 levels',
    })
  })

  it('does not occur in JSON with well-formed text', () => {
    const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\u0000'))
    const value = fc.jsonValue({ maxDepth: 5, stringUnit: text })
    fc.assert(
      fc.property(value, (one) => {
        expect(findUnstorable(one, '')).toBeUndefined()
      }),
    )
  })
})
