import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { AppError } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import { parseCursor, printCursor } from './cursor.ts'
import type { OrderKey } from '../entity.ts'

const types = {
  text: sql`::text`,
  timestamptz: sql`::timestamptz`,
  'double precision': sql`::double precision`,
  integer: sql`::integer`,
  jsonb: sql`::jsonb`,
}

const keyOf = (type: OrderKey['type']): OrderKey => ({
  ...{ name: 'key', value: sql`key`, type, direction: 'ascending' },
})

/**
 * Reports whether a cursor with this value is accepted. Anyone can make one, because its checksum
 * is not a secret.
 */
function isTaken(type: OrderKey['type'], value: string): boolean {
  const list = { keys: [keyOf(type)], filters: [] }
  try {
    parseCursor(list, printCursor(list, { seen: 1, values: [value] }))
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    return false
  }
}

const number = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))

const arbitrary: Readonly<Record<OrderKey['type'], fc.Arbitrary<string>>> = {
  text: fc.string({ unit: 'binary' }),
  timestamptz: fc
    .tuple(
      fc.constantFrom('0000', '0001', '0005', '1900', '2024', '4713', '4714', '99999', '294277'),
      number(13),
      number(32),
      fc.constantFrom('', ' BC'),
    )
    .chain(([year, month, day, era]) =>
      fc
        .tuple(number(25), number(61), number(61), number(17))
        .map(([hour, minute, second, zone]) => {
          const time = `${hour}:${minute}:${second}`
          return `${year}-${month}-${day} ${time}+${zone}${era}`
        }),
    ),
  'double precision': fc
    .tuple(fc.constantFrom('', '-'), number(99), number(99), fc.integer({ min: -999, max: 999 }))
    .map(([sign, whole, part, exponent]) => {
      const power = exponent < 0 ? String(exponent) : `+${String(exponent)}`
      return `${sign}${whole}.${part}e${power}`
    }),
  integer: fc
    .oneof(fc.integer(), fc.integer({ min: 2 ** 31, max: 2 ** 40 }), fc.double())
    .map(String),
  jsonb: fc.oneof(
    fc.json(),
    fc.constantFrom('1e999', '1e-99999', '1e-999', '"\\ud800"', '{"\\u0000":1}', '"1e9999"', '[1,'),
  ),
}

const wrong = [
  ['timestamptz', '2024-02-30 00:00:00+00'],
  ['timestamptz', '2024-13-01 00:00:00+00'],
  ['timestamptz', '0000-01-01 00:00:00+00'],
  ['timestamptz', '0002-02-29 00:00:00+00 BC'],
  ['timestamptz', '5000-01-01 00:00:00+00 BC'],
  ['timestamptz', '2024-01-01 25:00:00+00'],
  ['timestamptz', '2024-01-01 00:00:00+99'],
  ['double precision', '1e+999'],
  ['double precision', '1e-999'],
  ['integer', '2147483648'],
  ['jsonb', '1e-99999'],
  ['jsonb', '"\\ud800"'],
] as const

describeWithDatabase('a cursor', (database) => {
  const read = (type: OrderKey['type'], value: string) =>
    database().texts(sql`select ${value}${types[type]}`)

  it.each(wrong)('of type %s does not accept the value %s', async (type, value) => {
    await expect(read(type, value)).rejects.toThrow()
    expect(isTaken(type, value)).toBe(false)
  })

  it.each([
    ['timestamptz', '2024-02-29 23:59:59.999999+05:30'],
    ['timestamptz', 'infinity'],
    ['timestamptz', '0001-12-31 23:00:00+00 BC'],
    ['timestamptz', '0001-02-29 00:00:00+00 BC'],
    ['double precision', '0'],
    ['double precision', '-Infinity'],
    ['double precision', '1.5e-07'],
    ['jsonb', '"1e9999"'],
  ] as const)('of type %s accepts the value %s', (type, value) => {
    expect(isTaken(type, value)).toBe(true)
  })

  it.each(['text', 'timestamptz', 'double precision', 'jsonb'] as const)(
    'of type %s is accepted only with values that PostgreSQL can read',
    async (type) => {
      await fc.assert(
        fc.asyncProperty(arbitrary[type], async (value) => {
          if (isTaken(type, value)) await read(type, value)
        }),
        { numRuns: 300 },
      )
    },
  )
})

it('refuses a cursor whose content is not valid, even if its checksum is correct', () => {
  const list = { keys: [], filters: [] }
  for (const text of ['not JSON', '', '[1', 'null']) {
    const sum = createHash('sha256').update(`cursor ${text}`).digest('base64url').slice(0, 12)
    const cursor = `${sum}${Buffer.from(text).toString('base64url')}`
    expect(() => parseCursor(list, cursor)).toThrow(/is not a cursor of this hub/)
  }
})
