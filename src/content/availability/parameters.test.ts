import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors/index.ts'
import {
  maxGuests,
  maxNights,
  maxRooms,
  readAvailabilityRequest,
  readRooms,
  readStay,
} from './parameters.ts'
import { roomTypes } from './request.ts'

const calendar = { now: () => new Date('2026-03-28T23:30:00Z'), timeZone: 'Europe/Rome' }

const issuesOf = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    if (error instanceof AppError) return error.issues
    throw error
  }
  return undefined
}

describe('an availability request', () => {
  it('has the defaults of the interface, and starts today in the configured time zone', () => {
    expect(readAvailabilityRequest({}, calendar)).toEqual({
      ...{ arrival: '2026-03-29', departure: '2026-03-30', nights: 1 },
      rooms: [{ seq: 1, type: 1, ages: [18, 18] }],
      boards: ['ws', 'bb', 'hb', 'fb', 'ai'],
      channels: ['hgv'],
      ...{ language: 'en', detail: 'basic', source: 'sinfo' },
    })
    expect(readStay({}, { ...calendar, timeZone: 'UTC' }).arrival).toBe('2026-03-28')
  })

  it('accepts boards as a bit mask, and channels in any case without duplicates', () => {
    const query = { boardfilter: '20', bokfilter: ['LTS', 'hgv', 'lts'], detail: '1' }
    expect(readAvailabilityRequest(query, calendar)).toMatchObject({
      boards: ['hb', 'ai'],
      channels: ['hgv', 'lts'],
      detail: 'full',
    })
  })

  it('counts nights across a clock change, up to the longest allowed stay', () => {
    expect(readStay({ arrival: '2026-10-24', departure: '2026-10-26' }, calendar).nights).toBe(2)
    const long = { arrival: '2027-01-01', departure: '2027-03-02' }
    expect(readStay(long, calendar).nights).toBe(maxNights)
    const longer = { ...long, departure: '2027-03-03' }
    expect(issuesOf(() => readStay(longer, calendar))).toMatchObject([{ parameter: 'departure' }])
  })

  it('rejects the last day of the calendar as an error of the caller', () => {
    const last = { arrival: '9999-12-31' }
    expect(issuesOf(() => readStay(last, calendar))).toMatchObject([{ parameter: 'arrival' }])
  })
})

const room = fc.record({
  type: fc.constantFrom(...roomTypes),
  ages: fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: maxGuests }),
})

describe('readRooms', () => {
  it('reads every list of rooms in its grammar', () => {
    fc.assert(
      fc.property(fc.array(room, { minLength: 1, maxLength: maxRooms }), (rooms) => {
        const text = rooms.map(({ type, ages }) => `${type}-${ages.join(',')}`).join('|')
        expect(readRooms(text)).toEqual(rooms.map((one, index) => ({ seq: index + 1, ...one })))
      }),
    )
  })

  it('reads any text exactly, or reports an error of the caller', () => {
    const text = fc.stringMatching(/^[0-9,|\- x]{0,30}$/)
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (written) => {
        const issues = issuesOf(() => {
          const printed = readRooms(written).map(({ type, ages }) => `${type}-${ages.join(',')}`)
          expect(printed.join('|')).toBe(written.replaceAll(/(?<=[,-])0+(?=\d)/g, ''))
        })
        if (issues !== undefined) expect(issues).toMatchObject([{ parameter: 'roominfo' }])
      }),
      { numRuns: 2000 },
    )
  })

  it('reports the position of an error', () => {
    expect(issuesOf(() => readRooms('1-18|2-'))).toMatchObject([{ position: 5 }])
  })
})
