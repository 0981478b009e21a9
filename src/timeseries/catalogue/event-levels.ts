import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { event, eventLocation, eventProvenance } from './groups.ts'
import type { Level, Order } from './level.ts'

const byVersion: Order = {
  columns: [
    { expression: sql`ev.origin`, type: 'text' },
    { expression: sql`ev.series`, type: 'text' },
    { expression: sql`ev.recorded`, type: 'timestamptz' },
    { expression: sql`ev.uuid`, type: 'text' },
  ],
  indexed: 4,
}

const selecting = (...conditions: readonly Sql[]): Level => ({
  groups: [event, eventLocation, eventProvenance],
  from: () => sql`mobility_event as ev`,
  where: (visible) => [...conditions, visible],
  type: sql`ev.origin`,
  dataType: undefined,
  origin: sql`ev.origin`,
  timestamp: undefined,
  identity: [sql`ev.uuid`],
  flatOrder: byVersion,
  treeOrder: byVersion,
  tree: {
    levels: [
      { key: 0, within: undefined, own: [], inline: [] },
      { key: 1, within: 'eventseries', own: [], inline: [] },
      {
        key: 3,
        within: 'events',
        own: [event],
        inline: [
          { member: 'evlocation', group: eventLocation },
          { member: 'evprovenance', group: eventProvenance },
        ],
      },
    ],
    list: undefined,
  },
})

/** Every state of every event. */
export const eventLevel: Level = selecting()

/** The newest state of each series. */
export const latestEventLevel: Level = selecting(sql`
  not exists (
    select from mobility_event as newer
    where newer.origin = ev.origin and newer.series = ev.series
      and (newer.recorded, newer.uuid) > (ev.recorded, ev.uuid))`)

/** What had not ended at a time; what starts later is included (reference 1.10). */
export const eventsAt = (time: string): Level =>
  selecting(sql`(ev."end" is null or ev."end" > ${time}::timestamptz)`)

/** What went on between two times; both ends count, unlike with measurements (reference 1.10). */
export const eventsBetween = ({
  from,
  to,
}: {
  readonly from: string
  readonly to: string
}): Level =>
  selecting(
    sql`(ev."end" is null or ev."end" > ${from}::timestamptz)`,
    sql`ev.start <= ${to}::timestamptz`,
  )
