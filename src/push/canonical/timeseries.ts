import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  dataTypeItem,
  deletables,
  deleteTimeseries,
  edgeItem,
  eventItem,
  identifyValues,
  keyOf,
  loadStoredDataTypes,
  loadStoredEvents,
  name,
  provenance,
  severities,
  severityOf,
  stationItem,
  storeDataTypes,
  storeEdges,
  storeEvents,
  storeMeasurements,
  storeStations,
  time,
  toInstant,
} from '../../timeseries/index.ts'
import type { EventItem } from '../../timeseries/index.ts'
import type { Saving } from '../pipeline.ts'
import { alone } from './check-items.ts'
import type { Fault } from './check-items.ts'
import { exactly, orNull } from '../../lang/schemas.ts'
import { defineKind, envelope, items, momentFaults, origins, stationTargets } from './kind.ts'
import { noteSource } from '../../content/index.ts'
import { loadForeignStations } from '../check-scope.ts'
import { loadOwnedSeries } from '../owners.ts'

const dataTypesMessage = Compile(exactly({ kind: Type.Literal('dataTypes'), ...envelope }))

/** What stations measure. Upserts by name; omitted fields keep their values. */
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

/** Values of stations. Upserts by series and time; late and corrected values are accepted (D48). */
export const measurementsKind = defineKind({
  name: 'measurements',
  // Each statement also stores the latest value of every series in it, so fewer statements pay off.
  maxBatch: 50_000,
  message,
  item,
  checkItem: ([, , moment]) => momentFaults('/2', moment),
  facts: {
    aboutOf: identifyValues,
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

/** Fields that narrow down a deletion, by what is deleted. */
const narrowedBy = {
  measurements: ['dataType', 'period', 'from', 'to'],
  series: ['dataType', 'period'],
  stations: [],
} as const

/** Deletions of values, series and stations. Deleting what does not exist is not a fault. */
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
    const faults = [...momentFaults('/from', item.from), ...momentFaults('/to', item.to)]
    const [from, to] = [item.from, item.to].map((one) => one && toInstant(one))
    const isTurned = from !== undefined && to !== undefined && from > to
    return faults.length === 0 && isTurned ? [{ pointer: '/to', reason: 'is before from' }] : faults
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
    const { received } = saving
    return deleteTimeseries(tx, { stationType, what, items: deletions, received, by })
  },
})

/**
 * Returns the actor for the audit log, which names the message. The id is random if none is kept.
 */
async function nameSender({ stream, keptAs }: Saving) {
  const request = (await keptAs?.()) ?? randomUUID()
  return { subject: 'push', name: stream, client: 'push', request }
}

const edgesMessage = Compile(
  exactly({
    kind: Type.Literal('edges'),
    edgeType: name,
    origin: Type.Optional(orNull(name)),
    ...envelope,
  }),
)

/** Connections between stations. Upserts by code; omitted fields keep their values. */
export const edgesKind = defineKind({
  name: 'edges',
  message: edgesMessage,
  item: Compile(edgeItem),
  footprint: ({ edgeType }, items) => ({
    writes: items.map(({ code }) => keyOf({ type: edgeType, code })),
    reads: items.flatMap(({ from, to }) => [from ?? [], to ?? []].flat().map(keyOf)),
  }),
  covers: ({ edgeType, origin }) => [
    {
      of: stationTargets(edgeType, { kind: 'edges', makesOwn: true }),
      toTarget: ({ code }) => ({ id: code, origin, isOpen: undefined }),
    },
  ],
  store: (tx, { message: { edgeType, origin }, items }, { received }) =>
    storeEdges(tx, { edgeType, origin, items, received }),
})

const stationsMessage = Compile(
  exactly({
    kind: Type.Literal('stations'),
    stationType: name,
    origin: Type.Optional(orNull(name)),
    closed: Type.Optional(
      Type.Boolean({ description: 'Whether the values of these stations are closed data' }),
    ),
    complete: Type.Optional(
      Type.Boolean({
        description:
          'Whether these are all stations of the type and origin: others become inactive',
      }),
    ),
    ...envelope,
  }),
)

/** Measuring stations of one type. Upserts by code; omitted fields keep their values. */
export const stationsKind = defineKind({
  name: 'stations',
  message: stationsMessage,
  item: Compile(stationItem),
  checkMessage: ({ complete, items }) =>
    complete === true && (items ?? []).length === 0 ? [noStation] : [],
  footprint: ({ stationType, complete }, items) =>
    complete === true
      ? alone
      : {
          writes: items.map(({ code }) => keyOf({ type: stationType, code })),
          reads: items.flatMap(({ parent }) => (parent ? keyOf(parent) : [])),
        },
  covers: ({ stationType, origin, closed }) => [
    {
      of: stationTargets(stationType, { kind: 'stations', makesOwn: true }),
      toTarget: ({ code }) => ({
        id: code,
        origin,
        isOpen: closed === undefined ? undefined : !closed,
      }),
    },
  ],
  store: async (tx, { message, items, refused }, saving) => {
    const { stationType, origin, closed, complete } = message
    const list = { stationType, origin: origin ?? null, codes: items.map(({ code }) => code) }
    const foreign = complete === true ? await loadForeignStations(tx, list, saving) : []
    // A station that was sent and refused is not missing from the list.
    const spared = [...foreign, ...refused.map(({ code }) => code)]
    const { received } = saving
    const write = { stationType, origin, closed, complete, spared, items, received }
    const outcome = await storeStations(tx, write)
    if (foreign.length === 0) return outcome
    return { ...outcome, rejected: [...outcome.rejected, spare(foreign)] }
  },
})

const noStation = {
  pointer: '/complete',
  reason:
    'requires items: an empty list would make every station inactive; to do so, send them with "active": false',
}

function spare({ length }: readonly string[]) {
  const reason =
    `does not count for ${String(length)} stations that other streams wrote, ` +
    'and that the permission to push does not cover'
  return { index: null, pointer: '/complete', reason }
}

const eventsMessage = Compile(
  exactly({
    kind: Type.Literal('events'),
    origin: name,
    closed: Type.Optional(Type.Boolean({ description: 'Whether these events are closed data' })),
    provenance: Type.Optional(orNull(provenance)),
    ...envelope,
  }),
)

const unknownSeverity: Fault = {
  pointer: '/severity',
  reason: `is not a severity of DATEX II: the traffic feed shows that of the kind of event; known: ${severities.join(', ')}`,
}

const endsEarly: Fault = {
  pointer: '/end',
  reason: 'is before start: the traffic feed never shows the event as active',
}

function endsBeforeStart({ start, end }: EventItem): boolean {
  const [from, to] = [start, end].map((written) => toInstant(written ?? ''))
  return from !== undefined && to !== undefined && to < from
}

/** Entity under which the list of sources shows events. */
const announcement = { type: 'announcement' }

/**
 * States of mobility events. A known uuid replaces that state; a new uuid in a series is a new
 * version.
 */
export const eventsKind = defineKind({
  name: 'events',
  message: eventsMessage,
  item: Compile(eventItem),
  checkItem: ({ start, end }) => [...momentFaults('/start', start), ...momentFaults('/end', end)],
  warnOf: (event) => [
    ...(typeof event.severity !== 'string' || severityOf(event.severity) !== undefined
      ? []
      : [unknownSeverity]),
    ...(endsBeforeStart(event) ? [endsEarly] : []),
  ],
  footprint: (_message, items) => ({ writes: items.map(({ uuid }) => uuid), reads: [] }),
  covers: ({ origin, closed }) => [
    {
      of: {
        ...{ kind: 'events', space: 'event', within: {}, names: origins, makesOwn: true },
        load: loadStoredEvents,
      },
      toTarget: ({ uuid }) => ({ id: uuid, origin, isOpen: closed !== true }),
    },
    {
      // A new state replaces the one that is shown of its series, so the series must be covered,
      // too.
      of: {
        ...{
          kind: 'events',
          space: `series/${origin}`,
          within: {},
          names: origins,
          makesOwn: true,
        },
        load: (tx, series) => loadOwnedSeries(tx, origin, series),
      },
      toTarget: ({ uuid, series }) => ({
        id: series ?? uuid,
        origin: undefined,
        isOpen: closed !== true,
      }),
    },
  ],
  store: async (tx, { message: { origin, closed, provenance: from }, items }, { received }) => {
    const outcome = await storeEvents(tx, { origin, closed, provenance: from, items, received })
    // The list of sources must not reveal that there are closed events (decision D60).
    if (outcome.stored > 0 && closed !== true) {
      await noteSource(tx, { entity: announcement, source: origin, received })
    }
    return outcome
  },
})
