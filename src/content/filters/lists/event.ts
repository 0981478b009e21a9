import { Type } from 'typebox'
import { sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import { lowerSetOf, textAt, timeAt } from '../../columns.ts'
import type { GeneratedColumn } from '../../entity.ts'
import type { OrderKey } from '../../list/order.ts'
import { filter } from '../filter.ts'
import type { Filter, Scope } from '../filter.ts'
import { identifierFilter, listFilter } from '../values.ts'
import { assertWindow, dateParameter, formatParameter, readMoment, toEnd } from './dates.ts'
import { shownDates } from './shown-dates.ts'

/** What the filters of events compare. */
export const eventColumns: Readonly<Record<string, GeneratedColumn>> = {
  times: { type: 'tstzmultirange', expression: sql`content_event_times(data)`, index: 'gist' },
  begins: timeAt('DateBegin'),
  organizer: {
    type: 'text',
    expression: sql`coalesce(${textAt('EventProperty', 'EventOrganizerId')}, ${textAt('OrgRID')})`,
    index: 'none',
  },
  topic_ids: { ...lowerSetOf('TopicRIDs', 'TagIds'), index: 'none' },
  ranks: {
    type: 'text[]',
    expression: sql`content_integers(jsonb_path_query_array(data, '$.EventPublisher.Ranc'))`,
    index: 'none',
  },
}

const window: Filter = {
  name: 'begindate',
  parameters: [
    dateParameter('begindate', 'Only events that have not ended by then'),
    dateParameter('enddate', 'Only events that begin by then; a day belongs to it'),
    formatParameter,
  ],
  read: ({ query }) => {
    const from = readMoment(query, 'begindate')
    const to = readMoment(query, 'enddate')
    assertWindow(from, to, 'enddate')
    if (from === undefined && to === undefined) return undefined
    const begin = from?.iso ?? null
    const end = to === undefined ? null : toEnd(to)
    return {
      text: `${begin ?? ''}/${end ?? ''}`,
      condition: sql`times && tstzrange(${begin}::timestamptz, ${end}::timestamptz)`,
    }
  },
}

const directions = ['asc', 'desc', 'upcoming', 'upcomingspecial', 'upcomingspecialdesc'] as const

/** Orders by time (reference content.md 1.3); the nearest span counts from `begindate` on. */
const sort = filter({
  name: 'sort',
  schema: Type.Enum([...directions], {
    description:
      'asc and desc: by begin; upcoming: by the time from begindate to the next day of the event; upcomingspecial: single days first',
  }),
  examples: { good: [...directions], bad: ['up', 'ASCENDING'] },
  read: (direction, scope) => ({
    text: direction,
    condition: sql`true`,
    order: toOrder(direction, scope),
  }),
})

function toOrder(direction: (typeof directions)[number], { query }: Scope): readonly OrderKey[] {
  if (direction === 'asc' || direction === 'desc') {
    return [beginKey(direction === 'asc' ? 'ascending' : 'descending')]
  }
  const moment = readMoment(query, 'begindate')?.iso ?? '0001-01-01T00:00:00Z'
  const seconds = sql`content_upcoming(times, ${moment}::timestamptz)`
  const isLong = sql`(case when upper(times) - lower(times) > interval '1 day' then 1 else 0 end)`
  const value: Sql = direction === 'upcoming' ? seconds : sql`(${seconds} + ${isLong})`
  return [
    {
      name: `${direction} ${moment}`,
      value,
      type: 'double precision',
      direction: 'ascending',
    },
    beginKey(direction === 'upcomingspecialdesc' ? 'descending' : 'ascending'),
  ]
}

function beginKey(direction: OrderKey['direction']): OrderKey {
  return {
    name: 'begins',
    value: sql`coalesce(begins, lower(times), 'infinity')`,
    type: 'timestamptz',
    direction,
  }
}

/** The filters of the event list (reference content.md 1.3). */
export const eventFilters: readonly Filter[] = [
  window,
  sort,
  ...shownDates,
  identifierFilter({
    name: 'topicfilter',
    description: 'Topics, by identifier; any of them',
    example: '0D25868CC23242D6AC97AEB2973CB3D6',
    toItem: (item) => item.toLowerCase(),
    condition: (items) => sql`topic_ids && ${items}::text[]`,
  }),
  listFilter({
    name: 'orgfilter',
    description: 'Organizers, by identifier; any of them',
    example: 'ABC',
    condition: (items) => sql`organizer = any(${items}::text[])`,
  }),
  listFilter({
    name: 'rancfilter',
    description: 'Ranks at publishers, any of them',
    example: '1',
    isItem: (item) => /^\d{1,9}$/.test(item),
    expected: ['whole numbers with commas'],
    condition: (items) => sql`ranks && ${items}::text[]`,
  }),
]
