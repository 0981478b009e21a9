import { describe, expect, it } from 'vitest'
import { describeFields, partsAt } from './describe-fields.ts'
import { isInSeason, readOpeningTimes, weekdayOf, momentIn, openAt } from './opening-times.ts'
import type { Season } from './opening-times.ts'

const workdays = { Monday: true, Tuesday: true, Wednesday: true, Thursday: true, Friday: false }

const record = {
  OperationSchedule: [
    {
      Start: '2026-05-01T00:00:00',
      Stop: '2026-10-31T00:00:00',
      Type: '2',
      OperationscheduleName: { de: 'Sommer', en: 'Summer' },
      OperationScheduleTime: [
        { Start: '14:00:00', End: '18:00:00', State: 2, Timecode: 1, ...workdays },
        { Start: '09:00:00', End: '12:00:00', State: 2, Timecode: 1, ...workdays },
        { Start: '12:00:00', End: '13:30:00', State: 2, Timecode: 2, Monday: true },
        { Start: '00:00:00', End: '23:00:00', State: 1, Timecode: 1, Sunday: true },
      ],
    },
  ],
}

const opened = (odd: Readonly<Record<string, unknown>>) =>
  describeFields(odd, {
    'OperationSchedule.[*]': { role: 'opening' },
    ...partsAt('OperationSchedule.[*]', {
      ...{
        Start: 'start',
        Stop: 'end',
        Type: 'repeats',
        'OperationscheduleName.{language}': 'name',
      },
      'OperationScheduleTime.[*]': 'hours',
    }),
    ...partsAt('OperationSchedule.[*].OperationScheduleTime.[*]', {
      ...{ Start: 'start', End: 'end', State: 'state', Timecode: 'code', Monday: 'monday' },
      ...{ Tuesday: 'tuesday', Wednesday: 'wednesday', Thursday: 'thursday', Friday: 'friday' },
      ...{ Saturday: 'saturday', Sunday: 'sunday' },
    }),
  })

describe('Opening times', () => {
  const [summer] = readOpeningTimes(opened(record), 'en')

  it('are a week for each kind of hours, ordered within each day', () => {
    expect(summer).toMatchObject({
      name: 'Summer',
      from: '2026-05-01',
      to: '2026-10-31',
      every: 'day',
    })
    expect(summer?.weeks.map(({ kind }) => kind)).toEqual(['general', 'meals'])
    expect(summer?.weeks[0]?.days[0]).toEqual([
      { from: '09:00', to: '12:00' },
      { from: '14:00', to: '18:00' },
    ])
    expect(summer?.weeks[1]?.days[0]).toEqual([{ from: '12:00', to: '13:30' }])
  })

  it('are empty on days without hours and on closed days', () => {
    expect(summer?.weeks[0]?.days[4]).toEqual([])
    expect(summer?.weeks[0]?.days[6]).toEqual([])
  })

  it.each([[{}], [{ OperationSchedule: null }], [{ OperationSchedule: 'x' }]])(
    'are empty for %j',
    (odd) => {
      expect(readOpeningTimes(opened(odd), 'en')).toEqual([])
    },
  )

  it('accept missing or malformed hours', () => {
    const odd = {
      OperationSchedule: [null, { OperationScheduleTime: [{ Start: 9, Monday: true }] }],
    }
    expect(readOpeningTimes(opened(odd), 'en')).toEqual([
      { every: 'once', weeks: [] },
      { every: 'once', weeks: [{ kind: 'general', days: [[], [], [], [], [], [], []] }] },
    ])
  })
})

describe('A season', () => {
  const season = (every: Season['every'], from: string, to: string): Season => ({
    ...{ every, from, to, weeks: [] },
  })

  it.each([
    ['once', '2026-05-01', '2026-10-31', '2026-10-31', true],
    ['once', '2026-05-01', '2026-10-31', '2027-06-01', false],
    ['day', '2026-05-01', '2026-10-31', '2031-06-01', true],
    ['day', '2026-12-01', '2027-04-10', '2030-01-15', true],
    ['day', '2026-12-01', '2027-04-10', '2030-04-11', false],
    ['month', '2026-12-24', '2027-04-02', '2030-04-30', true],
    ['month', '2026-12-24', '2027-04-02', '2030-05-01', false],
  ] as const)('%s from %s to %s, on %s: %s', (every, from, to, day, isIn) => {
    expect(isInSeason(season(every, from, to), day)).toBe(isIn)
  })

  it('without an end continues', () => {
    expect(isInSeason({ every: 'once', from: '2026-01-01', weeks: [] }, '2030-01-01')).toBe(true)
  })
})

describe('The current opening state', () => {
  const seasons = readOpeningTimes(opened(record), 'en')
  // A Monday.
  const day = '2026-06-01'

  it('depends on the general hours, not on those of the kitchen', () => {
    expect(weekdayOf(day)).toBe(0)
    expect(openAt(seasons, { day, time: '09:00' })).toEqual({ from: '09:00', to: '12:00' })
    expect(openAt(seasons, { day, time: '12:30' })).toBeUndefined()
    expect(openAt(seasons, { day: '2026-12-07', time: '10:00' })).toBeUndefined()
  })

  it('is open after midnight for hours that started the day before', () => {
    const days = [[{ from: '18:00', to: '02:00' }], [], [], [], [], [], []]
    const bar: readonly Season[] = [{ every: 'once', weeks: [{ kind: 'general', days }] }]
    expect(openAt(bar, { day, time: '23:00' })).toBeDefined()
    expect(openAt(bar, { day: '2026-06-02', time: '01:59' })).toBeDefined()
    expect(openAt(bar, { day: '2026-06-02', time: '02:00' })).toBeUndefined()
  })

  it('depends after midnight on the season of the day before', () => {
    const days = Array.from({ length: 7 }, () => [{ from: '18:00', to: '02:00' }])
    const may = { from: '2026-05-01', to: '2026-05-31' }
    const bar: readonly Season[] = [{ every: 'once', ...may, weeks: [{ kind: 'general', days }] }]
    const isOpen = (on: string, time: string) => openAt(bar, { day: on, time }) !== undefined
    expect(isOpen('2026-05-31', '18:00')).toBe(true)
    expect(isOpen('2026-06-01', '01:59')).toBe(true)
    expect(isOpen('2026-06-01', '18:00')).toBe(false)
    expect(isOpen('2026-05-01', '01:59')).toBe(false)
  })

  it('is open all day if the hours are from midnight to midnight', () => {
    const days = [[{ from: '00:00', to: '00:00' }], [], [], [], [], [], []]
    const always: readonly Season[] = [{ every: 'once', weeks: [{ kind: 'general', days }] }]
    expect(openAt(always, { day, time: '00:00' })).toBeDefined()
    expect(openAt(always, { day, time: '23:59' })).toBeDefined()
    expect(openAt(always, { day: '2026-06-02', time: '00:00' })).toBeUndefined()
  })

  it('is computed in the time zone of the region', () => {
    expect(momentIn('Europe/Rome', new Date('2026-06-01T22:30:00Z'))).toEqual({
      day: '2026-06-02',
      time: '00:30',
    })
  })
})
