import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { keyOf, storeStations } from '../../timeseries/index.ts'
import { alone } from './in-sets.ts'
import { defineKind } from './kind.ts'
import { envelope, metadata, name, orNull, stationReference } from './members.ts'

const message = Compile(
  Type.Object(
    {
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
    },
    { additionalProperties: false },
  ),
)

const item = Compile(
  Type.Object(
    {
      code: name,
      name: Type.Optional(name),
      coordinate: Type.Optional(
        orNull(
          Type.Array(Type.Number(), {
            minItems: 2,
            maxItems: 3,
            description: 'Longitude, latitude; in another reference system x, y',
          }),
        ),
      ),
      srid: Type.Optional(Type.Integer({ minimum: 1, maximum: 998_999 })),
      active: Type.Optional(Type.Boolean()),
      available: Type.Optional(Type.Boolean()),
      parent: Type.Optional(orNull(stationReference)),
      metadata: Type.Optional(orNull(metadata)),
    },
    { additionalProperties: false },
  ),
)

/** Measuring stations of one type: upsert by code; what is left out stays. */
export const stationsKind = defineKind({
  name: 'stations',
  message,
  item,
  footprint: ({ stationType, complete }, items) =>
    complete === true
      ? alone
      : {
          writes: items.map(({ code }) => keyOf({ type: stationType, code })),
          reads: items.flatMap(({ parent }) => (parent ? keyOf(parent) : [])),
        },
  store: (tx, { message: { stationType, origin, closed, complete }, items }, { received }) =>
    storeStations(tx, { stationType, origin, closed, complete, items, received }),
})
