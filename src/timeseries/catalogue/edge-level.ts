import { sql } from '../../sql/index.ts'
import { edge, edgeBegin, edgeEnd } from './groups.ts'
import type { Level, Order } from './level.ts'

const byEdge: Order = {
  columns: [
    { expression: sql`e.type`, type: 'text' },
    { expression: sql`e.code`, type: 'text' },
  ],
  indexed: 2,
}

/** Connections between stations. They are always listed; only values are withheld (decision D60). */
export const edgeLevel: Level = {
  groups: [edge, edgeBegin, edgeEnd],
  from: () => sql`edge as g join station as e on e.id = g.station_id`,
  where: () => [sql`e.available`],
  type: sql`e.type`,
  dataType: undefined,
  origin: sql`e.origin`,
  timestamp: undefined,
  identity: [sql`e.type`, sql`e.code`],
  flatOrder: byEdge,
  treeOrder: byEdge,
  tree: {
    levels: [
      { key: 0, within: undefined, own: [], inline: [] },
      {
        key: 1,
        within: 'edges',
        own: [edge],
        inline: [
          { member: 'ebegin', group: edgeBegin },
          { member: 'eend', group: edgeEnd },
        ],
      },
    ],
    list: undefined,
  },
}
