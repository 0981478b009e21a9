import { Type } from 'typebox'
import { listOf, textOf } from '../../../lang/json.ts'
import type { Members } from '../../../lang/json.ts'
import { sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Filter, Parameter, Query, Reading, Rewrite, Scope } from '../../entity.ts'
import { filter } from '../../entity.ts'
import type { Choice, Label } from '../../presentation.ts'
import { parseTime, timeForms } from '../../rawfilter/lexer.ts'
import { rejected } from '../values.ts'

const expected = [...timeForms, 'milliseconds since 1970 with uxtimestamp']

const dayFor =
  (label: Label) =>
  (field: string): Choice => ({ kind: 'date', label, field })

/** The first day of a window, and the last. */
export const firstDay = dayFor(['Ab', 'Dal', 'From'])
export const lastDay = dayFor(['Bis', 'Al', 'Until'])

/** A moment of a query: a day, a day and a time (UTC without an offset), or milliseconds with `datetimeformat`. */
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

/** A moment as ISO 8601 in UTC, and whether it was given as a whole day. */
export type Moment = { readonly iso: string; readonly isDay: boolean }

/** @throws AppError for a text that is not a moment, or a day that does not exist */
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

/** Years have four digits. A plus sign that nobody encoded arrives as a blank. */
export function fromText(written: string): Moment | undefined {
  const text = written.trim().replace(/([T ]\d\d:\d\d[\d:.]*) (?=\d\d:?\d\d$)/, '$1+')
  const time = parseTime(text.replace(/(\.\d{6})\d+/, '$1'))
  if (time === undefined) return undefined
  const iso = time.endsWith('Z') ? time : new Date(time).toISOString()
  if (!/^(?!0000)\d{4}-/.test(iso)) return undefined
  return { iso, isDay: /^\d{4}-\d\d-\d\d$/.test(text) }
}

/** As PostgreSQL writes it; as a text it is behind all times, too. */
const open = 'infinity'

/** The end of a window: a day that is named as the last one belongs to it. Years have four digits. */
export function toEnd(moment: Moment): string {
  if (!moment.isDay) return moment.iso
  const end = new Date(endOf(moment))
  return end.getUTCFullYear() > 9999 ? open : end.toISOString()
}

/** What begins by then: at the moment itself, but not when a day that is named as the last one has ended. */
export function beginsBy(begin: Sql, moment: Moment): Sql {
  const end = sql`${toEnd(moment)}::timestamptz`
  return moment.isDay ? sql`${begin} < ${end}` : sql`${begin} <= ${end}`
}

function endOf({ iso, isDay: isWhole }: Moment): number {
  return Date.parse(iso) + (isWhole ? 86_400_000 : 0)
}

/** @throws AppError when a window ends before it begins */
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
  /** Those of the first moment and of the last, and others that say how they are written. */
  readonly parameters: readonly [from: Parameter, to: Parameter, ...others: readonly Parameter[]]
  readonly read?: typeof readMoment
  /** One of them is given. */
  readonly meaning: (from: Moment | undefined, to: Moment | undefined) => Reading | undefined
}

/** A filter by a window of time, open where one of its ends is not given. */
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

/** A flag that chooses no records, but changes how they are shown. */
export function rewritingFlag({ name, description, rewrite }: Flag): Filter {
  return filter({
    name,
    schema: Type.Boolean({ description }),
    examples: { good: ['true', 'FALSE'], bad: ['yes', '1', 'truefalse'] },
    read: (wanted, scope) =>
      wanted ? { text: 'true', condition: sql`true`, rewrite: rewrite(scope) } : undefined,
  })
}

/** How the dates of events are shown (reference content.md 1.3). */
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
        // Without any, the event is found by its own begin and end.
        if (dates.length === 0) return [event]
        return dates
          .filter((date) => isWithin(query, date))
          .map((date) => ({ ...event, ...spanOf(date), EventDate: [date] }))
      },
      sortKey: (event) => textOf(event['DateBegin']) ?? '',
    }),
  }),
]

/** Begin and end of a date, as the event has those of its first and last. */
function spanOf(date: Members) {
  const day = textOf(date['From'])?.slice(0, 10) ?? ''
  const lastDay = textOf(date['To'])?.slice(0, 10) ?? day
  const end = textOf(date['End']) ?? '00:00:00'
  return {
    DateBegin: `${day}T${textOf(date['Begin']) ?? '00:00:00'}`,
    DateEnd: end === '00:00:00' ? `${lastDay}T23:59:59` : `${lastDay}T${end}`,
  }
}

/** Texts of this form compare as the times that they mean. */
function isWithin(query: Query, date: Members): boolean {
  const from = readMoment(query, 'begindate')
  const to = readMoment(query, 'enddate')
  const { DateBegin, DateEnd } = spanOf(date)
  if (to !== undefined && DateBegin >= toEnd(to).slice(0, 19)) return false
  return from === undefined || DateEnd > from.iso.slice(0, 19) || DateBegin >= from.iso.slice(0, 19)
}
