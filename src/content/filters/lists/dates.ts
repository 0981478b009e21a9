import { Type } from 'typebox'
import { listOf, textOf } from '../../../lang/json.ts'
import type { Members } from '../../../lang/json.ts'
import { sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Filter, Parameter, Query, Reading, Rewrite, Scope } from '../../entity.ts'
import { filter } from '../../entity.ts'
import type { Choice, Label } from '../../presentation.ts'
import { parseTime, timeForms } from '../../rawfilter/lexer.ts'
import { dayAfter, rejected } from '../values.ts'

const expected = [...timeForms, 'milliseconds since 1970 with uxtimestamp']

const dayFor =
  (label: Label) =>
  (field: string): Choice => ({ kind: 'date', label, field })

/** Date pickers for the first and the last day of a window. */
export const firstDay = dayFor(['Ab', 'Dal', 'From'])
export const lastDay = dayFor(['Bis', 'Al', 'Until'])

/**
 * Returns a parameter for a time: a day, a day with a time (UTC without an offset), or milliseconds
 * with `datetimeformat`.
 */
export function dateParameter(name: string, description: string, choice: Choice): Parameter {
  return {
    name,
    choice,
    schema: Type.String({
      maxLength: 40,
      description: `${description}; yyyy-MM-dd or ISO 8601, UTC without an offset`,
    }),
    examples: {
      good: ['2026-01-31', '2026-01-31 10:30', '2026-01-31T10:30:00', '2026-01-31T10:30:00+01:00'],
      bad: ['2026-02-30', 'soon', '1770000000000', '2026-01-31 25:00'],
    },
  }
}

export const formatParameter: Parameter = {
  name: 'datetimeformat',
  schema: Type.Enum(['datetime', 'uxtimestamp'], {
    description: 'uxtimestamp: dates are given in milliseconds since 1970',
  }),
  examples: { good: ['datetime'], bad: ['unix', '1'] },
}

/** Time as ISO 8601 in UTC, and whether it was given as a whole day. */
export type Moment = { readonly iso: string; readonly isDay: boolean }

/**
 * Parses a time in a query.
 * @throws AppError for a text that is not a time, or a day that does not exist
 */
export function readMoment(query: Query, parameter: string): Moment | undefined {
  const written = query[parameter]
  if (typeof written !== 'string') return undefined
  const moment = query['datetimeformat'] === 'uxtimestamp' ? fromNumber(written) : fromText(written)
  if (moment !== undefined) return moment
  throw rejected({ parameter, detail: `is not a valid date: ${written}`, expected })
}

function fromNumber(written: string): Moment | undefined {
  const number = Number(written)
  if (!/^-?\d{1,14}$/.test(written) || number < -62_135_596_800_000) return undefined
  return { iso: new Date(number).toISOString(), isDay: false }
}

/** Parses a date or time with a four-digit year. */
export function fromText(written: string): Moment | undefined {
  const text = written.trim()
  const time = parseTime(text.replace(/(\.\d{6})\d+/, '$1'))
  if (time === undefined) return undefined
  const iso = time.endsWith('Z') ? time : new Date(time).toISOString()
  if (!/^(?!0000)\d{4}-/.test(iso)) return undefined
  return { iso, isDay: /^\d{4}-\d\d-\d\d$/.test(text) }
}

/** PostgreSQL's spelling of an open end. As text it also sorts after every timestamp. */
const open = 'infinity'

/**
 * Returns the end of a window. A whole day counts to its end. An end after the year 9999 is open,
 * because years have four digits.
 */
export function toEnd(moment: Moment): string {
  if (!moment.isDay) return moment.iso
  const end = new Date(endOf(moment))
  return end.getUTCFullYear() > 9999 ? open : end.toISOString()
}

/**
 * SQL condition for what starts, or happens, by a moment. A whole day counts to its end: a start at
 * the following midnight is too late.
 */
export function beginsBy(begin: Sql, moment: Moment): Sql {
  const end = sql`${toEnd(moment)}::timestamptz`
  return moment.isDay ? sql`${begin} < ${end}` : sql`${begin} <= ${end}`
}

function endOf({ iso, isDay: isWhole }: Moment): number {
  return Date.parse(iso) + (isWhole ? 86_400_000 : 0)
}

/** @throws AppError if a window ends before it starts */
function assertWindow(from: Moment | undefined, to: Moment | undefined, name: string): void {
  if (from === undefined || to === undefined) return
  const [begin, end] = [Date.parse(from.iso), endOf(to)]
  if (to.isDay ? begin < end : begin <= end) return
  throw rejected({
    parameter: name,
    detail: 'is before the start of the window',
    expected: [`${from.iso} or later`],
  })
}

type Window = {
  /** Parameters for the start and the end, and others that state their format. */
  readonly parameters: readonly [from: Parameter, to: Parameter, ...others: readonly Parameter[]]
  readonly read?: typeof readMoment
  /** Returns the condition of the window. At least one of its ends is given. */
  readonly meaning: (from: Moment | undefined, to: Moment | undefined) => Reading | undefined
}

/** Returns a filter by a window of time, which is open at an end that is not given. */
export function windowFilter({ parameters, read = readMoment, meaning }: Window): Filter {
  const [first, last] = parameters
  return {
    name: first.name,
    parameters,
    read: ({ query }) => {
      const from = read(query, first.name)
      const to = read(query, last.name)
      assertWindow(from, to, last.name)
      return from === undefined && to === undefined ? undefined : meaning(from, to)
    },
  }
}

type Flag = {
  readonly name: string
  readonly description: string
  readonly rewrite: (scope: Scope) => Rewrite
}

/** Returns a flag that selects no records, but changes how they are shown. */
export function rewritingFlag({ name, description, rewrite }: Flag): Filter {
  return filter({
    name,
    schema: Type.Boolean({ description }),
    examples: { good: ['true', 'FALSE'], bad: ['yes', '1', 'truefalse'] },
    read: (wanted, scope) =>
      wanted ? { text: 'true', condition: sql`true`, rewrite: rewrite(scope) } : undefined,
  })
}

/** Flags that change how the dates of events are shown (reference content.md 1.3). */
export const shownDates: readonly Filter[] = [
  rewritingFlag({
    name: 'optimizedates',
    description:
      'Show only the active dates in EventDate, within begindate and enddate if specified',
    rewrite: ({ query }) => ({
      adds: ['EventDate'],
      toShown: (event) => [
        {
          ...event,
          EventDate: listOf(event['EventDate']).filter(
            (date) => date['Active'] !== false && isWithin(query, date),
          ),
        },
      ],
    }),
  }),
  rewritingFlag({
    name: 'denormalize',
    description:
      'Each event once for every date within begindate and enddate, ordered by DateBegin within the page; totals count events',
    rewrite: ({ query }) => ({
      adds: ['DateBegin', 'DateEnd'],
      toShown: (event) => {
        const dates = listOf(event['EventDate'])
        // Without dates, the event was found by its own start and end.
        if (dates.length === 0) return [event]
        return dates
          .filter((date) => isWithin(query, date))
          .map((date) => ({ ...event, ...spanOf(date), EventDate: [date] }))
      },
      sortKey: (event) => textOf(event['DateBegin']) ?? '',
    }),
  }),
]

/**
 * Returns the start and end of a date, in the format of the start and end of an event. As in
 * `content_event_times`, an end before the start on the same day is on the next day.
 */
function spanOf(date: Members) {
  const day = textOf(date['From'])?.slice(0, 10) ?? ''
  const lastDay = textOf(date['To'])?.slice(0, 10) ?? day
  const [begin, end] = [timeOf(date['Begin']), timeOf(date['End'])]
  const endDay = lastDay === day && end < begin ? (dayAfter(day) ?? day) : lastDay
  return {
    DateBegin: `${day}T${begin}`,
    DateEnd: end === '00:00:00' ? `${lastDay}T23:59:59` : `${endDay}T${end}`,
  }
}

/**
 * Returns a time of day as HH:MM:SS. The hour may have been written with one digit, and the seconds
 * omitted; default: midnight.
 */
function timeOf(written: unknown): string {
  return (textOf(written) ?? '00:00:00').replace(/^\d:/, '0$&').replace(/^\d\d:\d\d$/, '$&:00')
}

/** Reports whether a date is within the requested window. Such texts sort like their times. */
function isWithin(query: Query, date: Members): boolean {
  const from = readMoment(query, 'begindate')
  const to = readMoment(query, 'enddate')
  const { DateBegin, DateEnd } = spanOf(date)
  if (to !== undefined && !isBegunBy(DateBegin, to)) return false
  return from === undefined || DateEnd > from.iso.slice(0, 19) || DateBegin >= from.iso.slice(0, 19)
}

/** Reports whether a date starts by a moment, as `beginsBy` does in SQL. */
function isBegunBy(begin: string, moment: Moment): boolean {
  const end = toEnd(moment).slice(0, 19)
  return moment.isDay ? begin < end : begin <= end
}
