import { Type } from 'typebox'
import { listOf, numberOf, textOf } from '../../../lang/json.ts'
import type { Members } from '../../../lang/json.ts'
import { all, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Filter, GeneratedColumn, OrderKey, Scope } from '../../entity.ts'
import { flagAt, lowerSetOf, textAt, timeAt } from '../../table.ts'
import { eventLocations, maskCodes } from '../../type-lists/types.ts'
import { idFilter, updateFilter } from '../every-list.ts'
import { filter } from '../../entity.ts'
import { columnFlag, flagFilter, identifierFilter, listFilter } from '../values.ts'
import {
  beginsBy,
  dateParameter,
  firstDay,
  formatParameter,
  lastDay,
  readMoment,
  rewritingFlag,
  shownDates,
  toEnd,
  windowFilter,
} from './dates.ts'
import type { Moment } from './dates.ts'

/** Columns for the filters of events. */
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

const window = windowFilter({
  parameters: [
    dateParameter('begindate', 'Only events that have not ended at this time', firstDay('DateEnd')),
    dateParameter(
      'enddate',
      'Only events that begin by this time, or on this day',
      lastDay('DateBegin'),
    ),
    formatParameter,
  ],
  meaning: (from, to) => {
    const begin = from?.iso ?? null
    const end = to === undefined ? null : toEnd(to)
    // An event that starts at the midnight after the last day is too late, unlike one that starts
    // at a time of day that was given.
    const bounds = to === undefined || to.isDay ? '[)' : '[]'
    return {
      text: `${begin ?? ''}/${end ?? ''}`,
      condition: sql`times && tstzrange(${begin}::timestamptz, ${end}::timestamptz, ${bounds})`,
    }
  },
})

const directions = ['asc', 'desc', 'upcoming', 'upcomingspecial', 'upcomingspecialdesc'] as const

/**
 * Orders by time (reference content.md 1.3). Distances are from `begindate` to the nearest span.
 */
const sort = filter({
  name: 'sort',
  schema: Type.Enum([...directions], {
    description:
      'asc and desc: by start; upcoming: by the time from begindate to the next day of the event; upcomingspecial: single days first',
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
  return [
    {
      name: `${direction} ${moment}`,
      value: direction === 'upcoming' ? secondsTo(moment) : secondsToSpecial(moment),
      type: 'double precision',
      direction: 'ascending',
    },
    beginKey(direction === 'upcomingspecialdesc' ? 'descending' : 'ascending'),
  ]
}

const secondsTo = (moment: string) => sql`content_upcoming(times, ${moment}::timestamptz)`

/**
 * SQL like `content_upcoming`, with a second more to a span of several days. `times` also joins
 * single days that follow each other.
 */
const secondsToSpecial = (moment: string) => sql`coalesce((
  select min(greatest(extract(epoch from lower(span) - ${moment}::timestamptz), 0)
    + case when upper(span) - lower(span) > interval '1 day'
        and data @? '$ ? (!exists(@.EventDate[0]) || exists(@.EventDate[*] ? (@.To > @.From)))'
      then 1 else 0 end)::double precision
  from unnest(times) as span where upper(span) > ${moment}::timestamptz or upper_inf(span)),
  'infinity')`

function beginKey(direction: OrderKey['direction']): OrderKey {
  return {
    name: 'begins',
    value: sql`coalesce(begins, lower(times), 'infinity')`,
    type: 'timestamptz',
    direction,
  }
}

/** Filters of the event list (reference content.md 1.3). */
export const eventFilters: readonly Filter[] = [
  window,
  sort,
  ...shownDates,
  identifierFilter({
    name: 'topicfilter',
    description: 'Topics, by identifier; any of them',
    example: '0D25868CC23242D6AC97AEB2973CB3D6',
    choice: { label: ['Themen', 'Temi', 'Topics'], field: 'TagIds.[*]' },
    tagType: 'eventtopic',
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
    expected: ['comma-separated whole numbers'],
    condition: (items) => sql`ranks && ${items}::text[]`,
  }),
]

/** Columns for the filters of short events. */
export const eventShortColumns: Readonly<Record<string, GeneratedColumn>> = {
  start_date: timeAt('StartDate'),
  end_date: timeAt('EndDate'),
  location: { type: 'text', expression: sql`upper(${textAt('EventLocation')})`, index: 'none' },
  web_address: { type: 'text', expression: textAt('WebAddress'), index: 'none' },
  is_on_screen: { type: 'boolean', expression: sql`data ->> 'Display1' = 'Y'`, index: 'none' },
  is_on_web: flagAt(['ActiveWeb']),
  is_in_app: flagAt(['ActiveCommunityApp']),
}

const startWindow = windowFilter({
  parameters: [
    dateParameter('startdate', 'Only events that end at this time or later', firstDay('EndDate')),
    dateParameter(
      'enddate',
      'With startdate: only events that begin by this time; alone: that end by this time',
      lastDay('StartDate'),
    ),
    formatParameter,
  ],
  meaning: (from, to) => {
    const until = to === undefined ? undefined : toEnd(to)
    return {
      text: `${from?.iso ?? ''}/${until ?? ''}`,
      condition: all([
        ...(from === undefined ? [] : [sql`end_date >= ${from.iso}::timestamptz`]),
        ...(to === undefined ? [] : [endOfWindow(from, to)]),
      ]),
    }
  },
})

/**
 * Returns the condition for the end of a window. An event that ends at the midnight after the last
 * day still ends in time, but one that starts then does not start in time.
 */
function endOfWindow(from: Moment | undefined, to: Moment): Sql {
  return from === undefined
    ? sql`end_date <= ${toEnd(to)}::timestamptz`
    : beginsBy(sql`start_date`, to)
}

const locations = maskCodes(eventLocations)

const sortOrder = filter({
  name: 'sortorder',
  schema: Type.Enum(['ASC', 'DESC', 'asc', 'desc'], {
    description: 'By the start: ASC (default) earliest first, DESC latest first',
  }),
  examples: { good: ['ASC', 'desc'], bad: ['up', 'ASC;', '1'] },
  read: (written) =>
    written.toUpperCase() === 'ASC'
      ? undefined
      : {
          text: 'DESC',
          condition: sql`true`,
          order: [
            {
              name: 'start_date',
              value: sql`coalesce(start_date, '-infinity')`,
              type: 'timestamptz',
              direction: 'descending',
            },
          ],
        },
})

/**
 * Returns the event without bookings that have the comment x, which are not meant to be shown
 * (reference content.md 1.4). Its start and end are those of the remaining bookings.
 */
function withSeenRooms(event: Members): Members {
  const rooms = listOf(event['RoomBooked']).filter(
    (room) => room['Comment'] !== 'x' && room['Comment'] !== 'X',
  )
  const times = (member: string) => rooms.flatMap((room) => textOf(room[member]) ?? []).sort()
  const numbers = (member: string) => rooms.flatMap((room) => numberOf(room[member]) ?? [])
  const [begin, end] = [times('StartDate')[0], times('EndDate').at(-1)]
  const [first, last] = [numbers('StartDateUTC'), numbers('EndDateUTC')]
  return {
    ...event,
    RoomBooked: rooms,
    ...(begin === undefined ? {} : { StartDate: begin }),
    ...(end === undefined ? {} : { EndDate: end }),
    ...(first.length === 0 ? {} : { StartDateUTC: Math.min(...first) }),
    ...(last.length === 0 ? {} : { EndDateUTC: Math.max(...last) }),
  }
}

/** Filters of the list of short events (reference content.md 1.4). */
export const eventShortFilters: readonly Filter[] = [
  idFilter({ name: 'idlist', aliases: ['idfilter', 'eventids'] }),
  updateFilter(['lastchange']),
  startWindow,
  sortOrder,
  rewritingFlag({
    name: 'optimizedates',
    description:
      'Show only the entries of RoomBooked that are meant for display, with their begin and end',
    rewrite: () => ({
      adds: ['RoomBooked', 'StartDate', 'EndDate', 'StartDateUTC', 'EndDateUTC'],
      toShown: (event) => [withSeenRooms(event)],
    }),
  }),
  listFilter({
    name: 'eventlocation',
    description: `Places, any of them: ${locations.join(', ')}`,
    example: 'NOI',
    toItem: (item) => item.toUpperCase(),
    condition: (items) => sql`location = any(${items}::text[])`,
  }),
  filter({
    name: 'webaddress',
    schema: Type.String({ maxLength: 250, description: 'Exact URL of the web page' }),
    examples: { good: ['https://example.org'], bad: ['x'.repeat(251)] },
    read: (written) => ({ text: written, condition: sql`web_address = ${written}` }),
  }),
  flagFilter({
    name: 'onlyactive',
    description: 'Whether it is shown on the screens of the house',
    condition: (wanted) => sql`is_on_screen = ${wanted}`,
  }),
  columnFlag(
    { name: 'websiteactive', description: 'Whether the website shows it' },
    sql`is_on_web`,
  ),
  columnFlag(
    { name: 'communityactive', description: 'Whether the community app shows it' },
    sql`is_in_app`,
  ),
]
