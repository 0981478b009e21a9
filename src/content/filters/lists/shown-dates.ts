import { Type } from 'typebox'
import { sql } from '../../../sql/index.ts'
import { listOf, textOf } from '../../formats/record-members.ts'
import type { Members } from '../../formats/record-members.ts'
import type { Rewrite } from '../../entity.ts'
import { filter } from '../filter.ts'
import type { Filter, Query, Scope } from '../filter.ts'
import { readMoment, toEnd } from './dates.ts'

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
    description: 'Of EventDate only the active dates, within begindate and enddate if given',
    rewrite: ({ query }) => ({
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
      toShown: (event) =>
        listOf(event['EventDate'])
          .filter((date) => isWithin(query, date))
          .map((date) => ({ ...event, ...spanOf(date), EventDate: [date] })),
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
