import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { epochReader } from './epoch-reader.ts'

/** Prints a time in UTC like PostgreSQL. */
function print(time: Date, fraction: string): string {
  const iso = time.toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction === '' ? '' : `.${fraction}`}+00`
}

describe('Milliseconds since 1970', () => {
  it.each([
    ['1970-01-01 00:00:00+00', 0],
    ['1969-12-31 23:59:59.999+00', -1],
    ['2026-11-20 10:02:00.5+00', Date.UTC(2026, 10, 20, 10, 2, 0, 500)],
    ['2026-11-20 10:02:00.123999+00', Date.UTC(2026, 10, 20, 10, 2, 0, 123)],
    ['0001-01-01 00:00:00+00', Date.parse('0001-01-01T00:00:00Z')],
  ])('are read from %s', (printed, epoch) => {
    expect(epochReader()(printed)).toBe(epoch)
  })

  it('are read from any time, in any order', () => {
    const time = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(time, fc.stringMatching(/^\d{0,5}[1-9]?$/))), (times) => {
        const read = epochReader()
        for (const [moment, fraction] of times) {
          const seconds = Math.floor(moment.getTime() / 1000)
          const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
          expect(read(print(moment, fraction))).toBe(seconds * 1000 + milliseconds)
        }
      }),
    )
  })
})
