import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { storeMeasurements, toInstant } from '../../timeseries/index.ts'
import { stationTargets } from './covers.ts'
import { defineKind } from './kind.ts'
import { envelope, momentFault, name, orNull, provenance, time } from './members.ts'

const message = Compile(
  Type.Object(
    {
      kind: Type.Literal('measurements'),
      stationType: name,
      period: Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'Seconds between values; part of what makes a series',
      }),
      provenance: Type.Optional(orNull(provenance)),
      ...envelope,
    },
    { additionalProperties: false },
  ),
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
  message,
  item,
  checkItem: ([, , moment]) => {
    const reason = momentFault(moment)
    return reason === undefined ? [] : [{ pointer: '/2', reason }]
  },
  factOf: ([code, dataType, moment, value]) => ({
    about: [code, dataType, typeof value, toInstant(moment)].join('\u0000'),
    says: value,
  }),
  covers: ({ stationType }) => [
    {
      of: stationTargets(stationType, { kind: 'measurements', makesOwn: false }),
      toTarget: ([code]) => ({ id: code, origin: undefined, isOpen: false }),
    },
  ],
  store: (tx, { message: { stationType, period, provenance: from }, items }, { received }) =>
    storeMeasurements(tx, { stationType, period, provenance: from, items, received }),
})
