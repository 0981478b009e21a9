import { Type } from 'typebox'
import { all, sql } from '../../../sql/index.ts'
import { flagAt, textAt, timeAt } from '../../columns.ts'
import type { GeneratedColumn } from '../../entity.ts'
import { eventLocations } from '../../type-lists/event-short-types.ts'
import { maskCodes } from '../../type-lists/type-row.ts'
import { idFilter, updateFilter } from '../every-list.ts'
import { filter } from '../filter.ts'
import type { Filter } from '../filter.ts'
import { listOf, numberOf, textOf } from '../../formats/record-members.ts'
import type { Members } from '../../formats/record-members.ts'
import { columnFlag, flagFilter, listFilter } from '../values.ts'
import { assertWindow, dateParameter, formatParameter, readMoment, toEnd } from './dates.ts'
import { rewritingFlag } from './shown-dates.ts'

/** What the filters of short events compare. */
export const eventShortColumns: Readonly<Record<string, GeneratedColumn>> = {
  start_date: timeAt('StartDate'),
  end_date: timeAt('EndDate'),
  location: { type: 'text', expression: textAt('EventLocation'), index: 'none' },
  web_address: { type: 'text', expression: textAt('WebAddress'), index: 'none' },
  is_on_screen: { type: 'boolean', expression: sql`data ->> 'Display1' = 'Y'`, index: 'none' },
  is_on_web: flagAt(['ActiveWeb']),
  is_in_app: flagAt(['ActiveCommunityApp']),
}

const window: Filter = {
  name: 'startdate',
  parameters: [
    dateParameter('startdate', 'Only events that end then or later'),
    dateParameter(
      'enddate',
      'With startdate: only events that begin by then; alone: that end by then',
    ),
    formatParameter,
  ],
  read: ({ query }) => {
    const from = readMoment(query, 'startdate')
    const to = readMoment(query, 'enddate')
    assertWindow(from, to, 'enddate')
    if (from === undefined && to === undefined) return undefined
    const until = to === undefined ? undefined : toEnd(to)
    const last = from === undefined ? sql`end_date` : sql`start_date`
    return {
      text: `${from?.iso ?? ''}/${until ?? ''}`,
      condition: all([
        ...(from === undefined ? [] : [sql`end_date >= ${from.iso}::timestamptz`]),
        ...(until === undefined ? [] : [sql`${last} <= ${until}::timestamptz`]),
      ]),
    }
  },
}

const locations = maskCodes(eventLocations)

const sortOrder = filter({
  name: 'sortorder',
  schema: Type.Enum(['ASC', 'DESC', 'asc', 'desc'], {
    description: 'By the begin: ASC (default) earliest first, DESC latest first',
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

/** A booking with the comment x is not meant to be seen (reference content.md 1.4). */
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

/** The filters of the list of short events (reference content.md 1.4). */
export const eventShortFilters: readonly Filter[] = [
  idFilter({ name: 'idlist', aliases: ['idfilter', 'eventids'] }),
  updateFilter(['lastchange']),
  window,
  sortOrder,
  rewritingFlag({
    name: 'optimizedates',
    description:
      'Of RoomBooked only entries that are meant to be seen, and begin and end of what is left',
    rewrite: () => ({ toShown: (event) => [withSeenRooms(event)] }),
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
    schema: Type.String({ maxLength: 250, description: 'Exact address of the web page' }),
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
