import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern, dayEndReader, formatFault, timeReader } from './time.ts'

const rome = timeReader({ zone: 'Europe/Rome' })
const read = (value: unknown, format?: unknown, zone?: unknown) => rome(value, format, zone)

describe('$time', () => {
  it.each([
    ['2026-11-20T10:15:00Z', undefined, '2026-11-20T10:15:00.000Z'],
    ['2026-11-20T10:15:00', undefined, '2026-11-20T09:15:00.000Z'],
    ['2026-11-20', undefined, '2026-11-19T23:00:00.000Z'],
    ['2026-07-20 10:15', undefined, '2026-07-20T08:15:00.000Z'],
    ['2026-07-20T10:15:00.1234567+0530', undefined, '2026-07-20T04:45:00.123Z'],
    ['20261120T101500', 'iso', '2026-11-20T09:15:00.000Z'],
    ['20/11/2026 10:15:30', 'dd/MM/yyyy HH:mm:ss', '2026-11-20T09:15:30.000Z'],
    ['5.1.26', 'd.M.yy', '2026-01-04T23:00:00.000Z'],
    ['11/20/2026 12:05 AM', 'MM/dd/yyyy hh:mm a', '2026-11-19T23:05:00.000Z'],
    ['2026-11-20 at 9', "yyyy-MM-dd 'at' H", '2026-11-20T08:00:00.000Z'],
    ['2026-11-20', 'yyyy-MM-dd[ HH:mm]', '2026-11-19T23:00:00.000Z'],
    ['2026-11-20T24:00:00', undefined, '2026-11-20T23:00:00.000Z'],
    [1762782346, 'epoch-s', '2025-11-10T13:45:46.000Z'],
    ['1762782346123', 'epoch-ms', '2025-11-10T13:45:46.123Z'],
    ['20/11/2026', ['iso', 'dd/MM/yyyy'], '2026-11-19T23:00:00.000Z'],
  ])('reads %s with the format %s', (value, format, expected) => {
    expect(read(value, format)).toBe(expected)
  })

  it.each([
    // Clocks go forward at 02:00, back at 03:00.
    ['2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
  ])('reads %s, when the clocks change, as %s', (value, expected) => {
    expect(read(value)).toBe(expected)
  })

  it.each(['2026-02-30', '2026-11-20T25:00:00', '2026-11-20T24:01:00', 'yesterday', '2026-13-01'])(
    'rejects %s',
    (value) => {
      expect(() => read(value)).toThrow('is not a valid time')
    },
  )

  it.each(['+99:99', '+19:00', '+01:75', '-9999', '+24'])(
    'rejects a time with the offset %s, which no zone has',
    (offset) => {
      expect(() => read(`2026-11-20T10:15:00${offset}`)).toThrow('is not a valid time')
      expect(() => read(`20.11.2026 10:15 ${offset}`, 'dd.MM.yyyy HH:mm X')).toThrow(
        'is not a valid time',
      )
    },
  )

  it('returns nothing for missing, empty and "no time" values', () => {
    const reader = timeReader({ none: ['never', -1] })
    for (const value of [undefined, null, '', ' ', 'never', -1]) {
      expect(reader(value, undefined, undefined)).toBeUndefined()
    }
  })

  it('uses the requested zone, and rejects one that does not exist', () => {
    expect(read('2026-11-20T10:00', 'iso', 'America/New_York')).toBe('2026-11-20T15:00:00.000Z')
    expect(read('2026-11-20T10:00', 'iso', '+02:00')).toBe('2026-11-20T08:00:00.000Z')
    expect(() => read('2026-11-20T10:00', 'iso', 'Europe/Rom')).toThrow('is not a valid time zone')
  })

  describe('in the hour that a clock repeats', () => {
    const rome = { zone: 'Europe/Rome' }
    const first = '2026-10-25T00:30:00.000Z'
    const second = '2026-10-25T01:30:00.000Z'
    const at = (received: string) =>
      timeReader(rome, { received: Date.parse(received), last: new Map() })(
        '2026-10-25T02:30',
        'iso',
        undefined,
      )

    it.each([
      ['2026-10-25T00:31:00Z', first],
      ['2026-10-25T01:24:00Z', first],
      ['2026-10-25T01:27:00Z', second],
      ['2026-10-25T02:10:00Z', second],
      ['2026-10-26T02:00:00Z', first],
    ])('reads the time in a message received at %s as %s', (received, moment) => {
      expect(at(received)).toBe(moment)
    })

    it('distinguishes the two by the order of the rows of a key', () => {
      const read = timeReader(rome)
      const rows = ['01:50', '02:10', '02:50', '02:10', '02:50', '03:10']
      const moments = rows.flatMap((row) =>
        ['a', 'b'].map((key) => read(`2026-10-25T${row}`, undefined, undefined, key)),
      )
      const hours = ['23:50', '00:10', '00:50', '01:10', '01:50', '02:10']
      expect(moments.map((moment) => moment?.slice(11, 16))).toEqual(
        hours.flatMap((one) => [one, one]),
      )
    })
  })

  it('rejects years that cannot be stored', () => {
    expect(() => read(9e15, 'epoch-ms')).toThrow('0001 to 9999')
  })

  it('reads back any moment in any zone', () => {
    const zones = [
      'Europe/Rome',
      'UTC',
      'Asia/Kathmandu',
      'America/St_Johns',
      'Australia/Lord_Howe',
    ]
    const moments = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2090-01-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(moments, fc.constantFrom(...zones), (moment, zone) => {
        // Until 2011 its clocks changed at 00:01, but offsets are looked up only once per quarter
        // of an hour.
        fc.pre(zone !== 'America/St_Johns' || moment.getUTCFullYear() > 2011)
        const whole = new Date(Math.floor(moment.getTime() / 60_000) * 60_000)
        const parts = new Intl.DateTimeFormat('sv-SE', {
          timeZone: zone,
          dateStyle: 'short',
          timeStyle: 'medium',
        })
        const local = parts.format(whole)
        const found = Date.parse(timeReader({ zone })(local, undefined, undefined) ?? '')
        // A repeated hour is read as the first of the two.
        expect(parts.format(found)).toBe(local)
        expect(found).toBeLessThanOrEqual(whole.getTime())
      }),
    )
  })
})

describe('$dayEnd', () => {
  const end = dayEndReader({ zone: 'Europe/Rome', formats: ['iso', 'dd.MM.yyyy'] })

  it.each([
    ['2026-11-20', '2026-11-20T23:00:00.000Z'],
    ['20.11.2026', '2026-11-20T23:00:00.000Z'],
    ['2026-11-20T23:59:59+01:00', '2026-11-20T23:00:00.000Z'],
    // Days on which the clocks change have 23 and 25 hours.
    ['2026-03-29', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', '2026-10-25T23:00:00.000Z'],
  ])('returns the end of the day %s', (text, moment) => {
    expect(end(text, undefined, undefined)).toBe(moment)
  })

  it('returns nothing for an empty value, and uses UTC if no zone is set', () => {
    expect(end('', undefined, undefined)).toBeUndefined()
    expect(dayEndReader({})('2026-11-20', undefined, undefined)).toBe('2026-11-21T00:00:00.000Z')
  })
})

describe('A pattern', () => {
  it.each([
    ['dd/QQ/yyyy', 'unknown letter Q'],
    ['HH:mm', 'no year'],
    ['dd/MM/yyyy[ HH', 'without'],
    ['dd/MM/yyyy dd', 'twice'],
  ])('%s is refused with a reason', (pattern, reason) => {
    expect(formatFault(pattern)).toContain(reason)
  })

  it('does not throw, for any pattern and text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (pattern, text) => {
        const compiled = compilePattern(pattern)
        if (typeof compiled === 'function') compiled(text)
      }),
    )
  })
})
