import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'

const provenance = Type.Object({
  prname: Type.String(),
  prversion: Type.String(),
  prlineage: Type.String(),
})

const dataType = Type.Object({
  tname: Type.String(),
  tdescription: Type.Optional(Type.String()),
  tunit: Type.Optional(Type.String()),
  ttype: Type.Optional(Type.String()),
  tmeasurements: Type.Array(
    Type.Object({
      mperiod: Type.Integer(),
      mvalidtime: Type.String(),
      mvalue: Type.Number(),
      mprovenance: Type.Optional(provenance),
    }),
  ),
})

const station = Type.Object({
  scode: Type.String(),
  sname: Type.String(),
  stype: Type.String(),
  sorigin: Type.String(),
  sactive: Type.Boolean(),
  savailable: Type.Boolean(),
  scoordinate: Type.Object({ x: Type.Number(), y: Type.Number(), srid: Type.Integer() }),
  smetadata: Type.Record(Type.String(), Type.Unknown()),
  sdatatypes: Type.Record(Type.String(), dataType),
})

const tree = Type.Object({
  data: Type.Record(Type.String(), Type.Object({ stations: Type.Record(Type.String(), station) })),
})

type Station = Static<typeof station>

/**
 * Converts a tree,node response with latest values to stations, data types and measurements to
 * push.
 */
export function fromStationTree(answer: unknown) {
  const types = Object.entries(Parse(tree, answer).data)
  return types.flatMap(([stationType, { stations }]) => {
    const all = Object.values(stations)
    return [
      {
        kind: 'stations' as const,
        stationType,
        origin: all[0]?.sorigin ?? null,
        items: all.map(toStation),
      },
      { kind: 'dataTypes' as const, items: [...dataTypesOf(all).values()] },
      ...measurementsOf(stationType, all),
    ]
  })
}

function toStation({ scode, sname, sactive, savailable, scoordinate, smetadata }: Station) {
  return {
    code: scode,
    name: sname,
    active: sactive,
    available: savailable,
    coordinate: [scoordinate.x, scoordinate.y],
    srid: scoordinate.srid,
    metadata: smetadata,
  }
}

function dataTypesOf(stations: readonly Station[]) {
  const found = stations.flatMap(({ sdatatypes }) => Object.values(sdatatypes))
  return new Map(
    found.map(({ tname, tdescription, tunit, ttype }) => [
      tname,
      {
        name: tname,
        description: tdescription ?? null,
        ...(tunit === undefined ? {} : { unit: tunit }),
        ...(ttype === undefined ? {} : { type: ttype }),
      },
    ]),
  )
}

/**
 * Creates one message per period and provenance, since both are fields of the message and not of
 * the value.
 */
function measurementsOf(stationType: string, stations: readonly Station[]) {
  const values = stations.flatMap(({ scode, sdatatypes }) =>
    Object.values(sdatatypes).flatMap(({ tname, tmeasurements }) =>
      tmeasurements.map((measurement) => ({ scode, tname, ...measurement })),
    ),
  )
  const groups = Map.groupBy(values, ({ mperiod, mprovenance }) =>
    JSON.stringify([mperiod, mprovenance]),
  )
  return [...groups.values()].map((group) => ({
    kind: 'measurements' as const,
    stationType,
    period: group[0]?.mperiod ?? 0,
    provenance: toProvenance(group[0]?.mprovenance),
    items: group.map(
      ({ scode, tname, mvalidtime, mvalue }) => [scode, tname, toIso(mvalidtime), mvalue] as const,
    ),
  }))
}

function toProvenance(found: Static<typeof provenance> | undefined) {
  if (found === undefined) return null
  return { name: found.prname, version: found.prversion, lineage: found.prlineage }
}

/** Converts `2025-08-18 12:00:16.947+0000` to ISO 8601. */
function toIso(written: string): string {
  return written.replace(' ', 'T')
}
