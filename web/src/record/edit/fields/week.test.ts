import { describe, expect, it } from 'vitest'
import { readDay, weekOf, weekdays, withDay } from './week.ts'
import type { HoursNames } from './week.ts'

const names: HoursNames = {
  ...{ monday: 'Monday', tuesday: 'Tuesday', wednesday: 'Wednesday', thursday: 'Thursday' },
  ...{ friday: 'Friday', saturday: 'Saturday', sunday: 'Sunday' },
  ...{ start: 'Start', end: 'End', code: 'Timecode', state: 'State' },
}
const on = (...days: readonly string[]) =>
  Object.fromEntries(weekdays.map((day) => [names[day], days.includes(names[day])]))
const hours = [
  { Start: '09:00:00', End: '12:00:00', ...on('Monday', 'Tuesday'), State: 2, Timecode: 1 },
  { Start: '14:00:00', End: '18:00:00', ...on('Monday'), State: 2 },
  { Start: '12:00:00', End: '14:00:00', ...on('Monday'), State: 2, Timecode: 2 },
  { Start: '10:00:00', End: '11:00:00', ...on('Sunday'), State: 1, Timecode: 1 },
]

describe('a week of opening hours', () => {
  it('has the hours of one kind on each day, without closed hours', () => {
    expect(weekOf(hours, names, 1)).toEqual([
      ...['09:00–12:00, 14:00–18:00', '09:00–12:00', '', '', '', '', ''],
    ])
    expect(weekOf(hours, names, 2)[0]).toBe('12:00–14:00')
  })

  it('is read in common notations, and refused in others', () => {
    expect(readDay('9-12, 14:30 – 18')).toEqual([
      { from: '09:00', to: '12:00' },
      { from: '14:30', to: '18:00' },
    ])
    expect(readDay(' ')).toEqual([])
    for (const text of ['9', '9-25', '9-12, x', '9:75-10']) expect(readDay(text)).toBeUndefined()
  })

  it('ends at midnight at the latest', () => {
    expect(readDay('9-24')).toEqual([{ from: '09:00', to: '24:00' }])
    for (const text of ['9-24:01', '9-24.59', '24:30-3']) expect(readDay(text)).toBeUndefined()
  })

  it('changes one day, merges equal hours, and leaves everything else', () => {
    const spans = readDay('9-12') ?? []
    const wednesday = withDay(hours, names, { day: 2, spans, code: 1 })
    expect(wednesday).toHaveLength(4)
    expect(weekOf(wednesday, names, 1).slice(0, 3)).toEqual([
      ...['09:00–12:00, 14:00–18:00', '09:00–12:00', '09:00–12:00'],
    ])
    const monday = withDay(wednesday, names, { day: 0, spans: [], code: 1 })
    expect(monday).toEqual([{ ...hours[0], ...on('Tuesday', 'Wednesday') }, ...hours.slice(2)])
    const sunday = withDay([], names, { day: 6, spans, code: 3 })
    expect(sunday).toEqual([
      { Start: '09:00:00', End: '12:00:00', ...on('Sunday'), Timecode: 3, State: 2 },
    ])
  })
})
