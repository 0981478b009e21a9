import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  dataTypeItem,
  deletables,
  deleteTimeseries,
  loadStoredDataTypes,
  name,
  provenance,
  remember,
  storeDataTypes,
  storeMeasurements,
  time,
  toInstant,
} from '../../timeseries/index.ts'
import type { Saving } from '../pipeline.ts'
import { alone } from './check-items.ts'
import type { Fault } from './check-items.ts'
import { exactly, orNull } from '../../lang/schemas.ts'
import { defineKind, envelope, items, momentFaults, origins, stationTargets } from './kind.ts'

const dataTypesMessage = Compile(exactly({ kind: Type.Literal('dataTypes'), ...envelope }))

/** What stations measure: upsert by name; what is left out stays. */
export const dataTypesKind = defineKind({
  name: 'dataTypes',
  message: dataTypesMessage,
  item: Compile(dataTypeItem),
  footprint: (_message, items) => ({ writes: items.map((one) => one.name), reads: [] }),
  covers: () => [
    {
      of: {
        ...{ kind: 'dataTypes', space: 'dataType', within: {}, names: origins, makesOwn: true },
        load: loadStoredDataTypes,
      },
      toTarget: (item) => ({ id: item.name, origin: undefined, isOpen: false }),
    },
  ],
  store: (tx, { items }, { received }) => storeDataTypes(tx, { items, received }),
})

const message = Compile(
  exactly({
    kind: Type.Literal('measurements'),
    stationType: name,
    period: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Seconds between values; part of what makes a series',
    }),
    provenance: Type.Optional(orNull(provenance)),
    ...envelope,
  }),
)

const value = Type.Union([Type.Number(), Type.String(), Type.Record(Type.String(), Type.Unknown())])

const item = Compile(
  Type.Tuple([name, name, time, value], {
    description: 'Station code, data type, time with its zone, value',
  }),
)

/** Values of stations: upsert by series and time; late and corrected values are welcome (D48). */
export const measurementsKind = defineKind({
  name: 'measurements',
  // Each time they are stored, the latest value of every series of theirs is.
  mostTogether: 20_000,
  message,
  item,
  checkItem: ([, , moment]) => momentFaults('/2', moment),
  facts: {
    aboutOf: (items) => {
      const instants = remember(toInstant)
      return items.map(
        ([code, dataType, moment, value]) =>
          `${code}\u0000${dataType}\u0000${typeof value}${String(instants(moment))}`,
      )
    },
    saysOf: ([, , , value]) => value,
  },
  covers: ({ stationType }) => [
    {
      of: stationTargets(stationType, { kind: 'measurements', makesOwn: false }),
      toTarget: ([code]) => ({ id: code, origin: undefined, isOpen: false }),
    },
  ],
  store: (tx, { message: { stationType, period, provenance: from }, items }, { received }) =>
    storeMeasurements(tx, { stationType, period, provenance: from, items, received }),
})

const deletionMessage = Compile(
  exactly({
    kind: Type.Literal('delete'),
    stationType: name,
    what: Type.Enum(deletables, {
      description: 'Values of series; series with all their values; stations with all their series',
    }),
    ...items,
  }),
)

const deletionItem = Compile(
  exactly({
    code: name,
    dataType: Type.Optional(name),
    period: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    from: Type.Optional(time),
    to: Type.Optional(time),
  }),
)

/** What each thing that can be deleted is narrowed down by. */
const narrowedBy = {
  measurements: ['dataType', 'period', 'from', 'to'],
  series: ['dataType', 'period'],
  stations: [],
} as const

/** Deletes values, series and stations; a missing one is not a fault. */
export const deletionKind = defineKind({
  name: 'delete',
  message: deletionMessage,
  item: deletionItem,
  checkItem: (item, { what }): readonly Fault[] => {
    const allowed: readonly string[] = ['code', ...narrowedBy[what]]
    const extra = Object.keys(item).find((member) => !allowed.includes(member))
    if (extra !== undefined) {
      const reason = `cannot be combined with "what": "${what}"; allowed: ${allowed.join(', ')}`
      return [{ pointer: `/${extra}`, reason }]
    }
    return [...momentFaults('/from', item.from), ...momentFaults('/to', item.to)]
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
