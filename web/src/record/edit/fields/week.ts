import { isMembers, listOf } from '../../read/json.ts'
import type { Members } from '../../read/json.ts'

export const weekdays = [
  ...(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const),
] as const

/** Names of the fields in an entry of opening hours, by their meaning. */
export type HoursNames = Readonly<
  Record<(typeof weekdays)[number] | 'start' | 'end' | 'code' | 'state', string>
>

/** Kind of hours: the place itself, warm meals, pizza, snacks. */
export type HoursCode = 1 | 2 | 3 | 4

const closed = 1
const open = 2

type Span = { readonly from: string; readonly to: string }

const clock = (value: unknown) => /^\d\d:\d\d/.exec(typeof value === 'string' ? value : '')?.[0]

function spanOf(entry: Members, { start, end }: HoursNames): Span | undefined {
  const [from, to] = [clock(entry[start]), clock(entry[end])]
  return from === undefined || to === undefined ? undefined : { from, to }
}

/**
 * Reports whether an entry holds opening hours of a kind. Without a code, it belongs to the place
 * itself.
 */
function isOf(entry: Members, names: HoursNames, code: HoursCode): boolean {
  return (
    Number(entry[names.code] ?? 1) === code &&
    entry[names.state] !== closed &&
    spanOf(entry, names) !== undefined
  )
}

/** Returns the hours of a kind from Monday to Sunday: `09:00–12:00, 14:00–18:00`. */
export function weekOf(hours: unknown, names: HoursNames, code: HoursCode): readonly string[] {
  const own = listOf(hours)
    .filter(isMembers)
    .filter((one) => isOf(one, names, code))
  return weekdays.map((day) =>
    own
      .filter((one) => one[names[day]] === true)
      .flatMap((one) => spanOf(one, names) ?? [])
      .toSorted((one, other) => one.from.localeCompare(other.from))
      .map(({ from, to }) => `${from}–${to}`)
      .join(', '),
  )
}

/** Parses the hours of a day: `9-12, 14:30-18`. Returns undefined if the text is invalid. */
export function readDay(text: string): readonly Span[] | undefined {
  const parts = text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const spans = parts.map((part) => {
    const [, from = '', to = ''] = /^([\d:.]+)\s*(?:-|–|bis|to|alle)\s*([\d:.]+)$/.exec(part) ?? []
    const [start, end] = [readClock(from), readClock(to)]
    return start === undefined || end === undefined ? undefined : { from: start, to: end }
  })
  return spans.every((span) => span !== undefined) ? spans : undefined
}

function readClock(text: string): string | undefined {
  const [, hour = '', minute = '00'] = /^(\d{1,2})(?:[:.](\d\d))?$/.exec(text) ?? []
  const time = `${hour.padStart(2, '0')}:${minute}`
  return hour === '' || Number(minute) > 59 || time > '24:00' ? undefined : time
}

type NewDay = { readonly day: number; readonly spans: readonly Span[]; readonly code: HoursCode }

/**
 * Replaces the hours of one day. There is one entry per time span, which lists all days with that
 * span. Entries that are not opening hours of this kind stay unchanged.
 */
export function withDay(
  hours: unknown,
  names: HoursNames,
  { day, spans, code }: NewDay,
): readonly unknown[] {
  const name = names[weekdays[day] ?? 'monday']
  const without = listOf(hours).flatMap((entry): readonly unknown[] => {
    if (!isMembers(entry) || !isOf(entry, names, code) || entry[name] !== true) return [entry]
    const left = { ...entry, [name]: false }
    return weekdays.some((one) => left[names[one]] === true) ? [left] : []
  })
  return spans.reduce<readonly unknown[]>((all, span) => {
    const at = all.findIndex((entry) => {
      const known = isMembers(entry) && isOf(entry, names, code) ? spanOf(entry, names) : undefined
      return known?.from === span.from && known.to === span.to
    })
    const found = all[at]
    return isMembers(found)
      ? all.with(at, { ...found, [name]: true })
      : [...all, toEntry(span, names, { name, code })]
  }, without)
}

function toEntry(
  { from, to }: Span,
  names: HoursNames,
  { name, code }: { readonly name: string; readonly code: HoursCode },
): Members {
  const days = weekdays.map((day) => [names[day], names[day] === name] as const)
  return Object.fromEntries<unknown>([
    [names.start, `${from}:00`],
    [names.end, `${to}:00`],
    ...days,
    [names.code, code],
    [names.state, open],
  ])
}
