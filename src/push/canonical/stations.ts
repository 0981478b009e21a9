import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  edgeItem,
  keyOf,
  name,
  stationItem,
  storeEdges,
  storeStations,
} from '../../timeseries/index.ts'
import { loadForeignStations } from '../check-scope.ts'
import { alone } from './check-items.ts'
import { exactly, orNull } from '../../lang/schemas.ts'
import { defineKind, envelope, stationTargets } from './kind.ts'

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

const message = Compile(
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
  message,
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
