import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { deletables, deleteTimeseries } from '../../timeseries/index.ts'
import type { Saving } from '../pipeline.ts'
import type { Fault } from './check-items.ts'
import { stationTargets } from './covers.ts'
import { alone } from './in-sets.ts'
import { defineKind } from './kind.ts'
import { items, momentFault, name, time } from './members.ts'

const message = Compile(
  Type.Object(
    {
      kind: Type.Literal('delete'),
      stationType: name,
      what: Type.Enum(deletables, {
        description:
          'Values of series; series with all their values; stations with all their series',
      }),
      ...items,
    },
    { additionalProperties: false },
  ),
)

const item = Compile(
  Type.Object(
    {
      code: name,
      dataType: Type.Optional(name),
      period: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
      from: Type.Optional(time),
      to: Type.Optional(time),
    },
    { additionalProperties: false },
  ),
)

/** What each thing that can be deleted is narrowed down by. */
const narrowedBy = {
  measurements: ['dataType', 'period', 'from', 'to'],
  series: ['dataType', 'period'],
  stations: [],
} as const

/** Deletes values, series and stations; what is not there is no fault. */
export const deletionKind = defineKind({
  name: 'delete',
  message,
  item,
  checkItem: (item, { what }): readonly Fault[] => {
    const allowed: readonly string[] = ['code', ...narrowedBy[what]]
    const extra = Object.keys(item).find((member) => !allowed.includes(member))
    if (extra !== undefined) {
      const reason = `does not go with "what": "${what}"; allowed: ${allowed.join(', ')}`
      return [{ pointer: `/${extra}`, reason }]
    }
    return (['from', 'to'] as const).flatMap((member) => {
      const reason = item[member] === undefined ? undefined : momentFault(item[member])
      return reason === undefined ? [] : [{ pointer: `/${member}`, reason }]
    })
  },
  footprint: () => alone,
  covers: ({ stationType }) => [
    {
      of: stationTargets(stationType, { kind: 'delete', makesOwn: false }),
      toTarget: ({ code }) => ({ id: code, origin: undefined, isOpen: false, action: 'delete' }),
    },
  ],
  store: async (tx, { message: { stationType, what }, items: deletions }, saving) => {
    if (deletions.length === 0) return { stored: 0, rejected: [] }
    const by = await nameSender(saving)
    return deleteTimeseries(tx, { stationType, what, items: deletions, by })
  },
})

/** The audit log names the message; an import keeps none. */
async function nameSender({ stream, keptAs }: Saving) {
  const request = (await keptAs?.()) ?? randomUUID()
  return { subject: 'push', name: stream, client: 'push', request }
}
