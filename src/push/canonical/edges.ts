import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { keyOf, storeEdges } from '../../timeseries/index.ts'
import { stationTargets } from './covers.ts'
import { defineKind } from './kind.ts'
import { envelope, geometry, name, orNull, stationReference } from './members.ts'

const message = Compile(
  Type.Object(
    {
      kind: Type.Literal('edges'),
      edgeType: name,
      origin: Type.Optional(orNull(name)),
      ...envelope,
    },
    { additionalProperties: false },
  ),
)

const item = Compile(
  Type.Object(
    {
      code: name,
      name: Type.Optional(name),
      from: Type.Optional(orNull(stationReference)),
      to: Type.Optional(orNull(stationReference)),
      directed: Type.Optional(Type.Boolean()),
      geometry: Type.Optional(orNull(geometry)),
      active: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
)

/** Connections between stations: upsert by code; what is left out stays. */
export const edgesKind = defineKind({
  name: 'edges',
  message,
  item,
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
