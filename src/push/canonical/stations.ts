import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { noteSource } from '../../content/index.ts'
import { exactly, orNull } from '../../lang/schemas.ts'
import {
  edgeItem,
  eventItem,
  keyOf,
  loadStoredEvents,
  name,
  provenance,
  stationItem,
  storeEdges,
  storeEvents,
  storeStations,
} from '../../timeseries/index.ts'
import { loadForeignStations } from '../check-scope.ts'
import { alone } from './check-items.ts'
import { defineKind, envelope, momentFaults, origins, stationTargets } from './kind.ts'

const edgesMessage = Compile(
  exactly({
    kind: Type.Literal('edges'),
    edgeType: name,
    origin: Type.Optional(orNull(name)),
    ...envelope,
  }),
)

/** Connections between stations: upsert by code; what is left out stays. */
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
      toTarget: ({ code }) => ({ id: code, origin, isOpen: false }),
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

/** Measuring stations of one type: upsert by code; what is left out stays. */
export const stationsKind = defineKind({
  name: 'stations',
  message: stationsMessage,
  item: Compile(stationItem),
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
      toTarget: ({ code }) => ({ id: code, origin, isOpen: closed === false }),
    },
  ],
  store: async (tx, { message, items, refused }, saving) => {
    const { stationType, origin, closed, complete } = message
    const list = { stationType, origin: origin ?? null, codes: items.map(({ code }) => code) }
    const foreign = complete === true ? await loadForeignStations(tx, list, saving) : []
    // What was sent and refused is not missing from the list.
    const spared = [...foreign, ...refused.map(({ code }) => code)]
    const { received } = saving
    const write = { stationType, origin, closed, complete, spared, items, received }
    const { stored, rejected } = await storeStations(tx, write)
    return { stored, rejected: foreign.length === 0 ? rejected : [...rejected, spare(foreign)] }
  },
})

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

/** What events are shown as. */
const announcement = { type: 'announcement' }

/** States of mobility events: the same uuid replaces a state, a new one in a series is a version. */
export const eventsKind = defineKind({
  name: 'events',
  message: eventsMessage,
  item: Compile(eventItem),
  checkItem: ({ start, end }) => [...momentFaults('/start', start), ...momentFaults('/end', end)],
  footprint: (_message, items) => ({ writes: items.map(({ uuid }) => uuid), reads: [] }),
  covers: ({ origin, closed }) => [
    {
      of: {
        ...{ kind: 'events', space: 'event', within: {}, names: origins, makesOwn: true },
        load: loadStoredEvents,
      },
      toTarget: ({ uuid }) => ({ id: uuid, origin, isOpen: closed !== true }),
    },
  ],
  store: async (tx, { message: { origin, closed, provenance: from }, items }, { received }) => {
    const outcome = await storeEvents(tx, { origin, closed, provenance: from, items, received })
    // That there are closed ones, nobody learns from the list of sources (decision D60).
    if (outcome.stored > 0 && closed !== true) {
      await noteSource(tx, { entity: announcement, source: origin, received })
    }
    return outcome
  },
})
