import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import type { DataType, Measurement, Message } from './messages.ts'

const station = Type.Object({
  id: Type.String(),
  name: Type.String(),
  latitude: Type.Number(),
  longitude: Type.Number(),
  parentStation: Type.Optional(Type.String()),
  parentStationType: Type.Optional(Type.String()),
  metaData: Type.Object({}),
})

const dataType = Type.Object({
  name: Type.String(),
  unit: Type.String(),
  description: Type.String(),
  rtype: Type.Optional(Type.String()),
  rType: Type.Optional(Type.String()),
  metaData: Type.Union([Type.Object({}), Type.Null()]),
})

const value = Type.Object({
  value: Type.Union([Type.Number(), Type.String()]),
  period: Type.Integer(),
  timestamp: Type.Integer(),
})

const leaf = Type.Object({ data: Type.Array(value) })
const ofStation = Type.Object({ branch: Type.Record(Type.String(), leaf) })
const root = Type.Object({ branch: Type.Record(Type.String(), ofStation) })

const payload = Type.Object({
  syncedDataTypes: Type.Unknown(),
  syncedData: Type.Record(Type.String(), Type.Array(root)),
  syncedStations: Type.Record(
    Type.String(),
    Type.Array(Type.Object({ Stations: Type.Array(station) })),
  ),
})

type Station = Static<typeof station>

/**
 * Converts what collectors send to the public system's time series writer to stations, data types
 * and values.
 */
export const fromWriterPayload =
  (origin: string) =>
  (read: unknown): readonly Message[] => {
    const { syncedDataTypes, syncedData, syncedStations } = Parse(payload, read)
    const stations = Object.entries(syncedStations).map(
      ([stationType, lists]) => [stationType, lists.flatMap(({ Stations }) => Stations)] as const,
    )
    const values = Object.entries(syncedData).flatMap(([stationType, roots]) =>
      valuesOf(roots).map((one) => ({ stationType, ...one })),
    )
    return [
      { kind: 'dataTypes', items: [...new Set(values.map(({ item }) => item[1]))].map(toName) },
      { kind: 'dataTypes', items: dataTypesOf(syncedDataTypes) },
      ...stations.map(([stationType, all]) => ({
        kind: 'stations' as const,
        stationType,
        origin,
        items: all.map(toStation),
      })),
      // A separate message, because a parent must exist before it can be referenced.
      ...stations.map(([stationType, all]) => ({
        kind: 'stations' as const,
        stationType,
        items: all.flatMap(toChild),
      })),
      ...messagesOf(values),
    ]
  }

const toName = (name: string): DataType => ({ name })

function toStation({ id, name, latitude, longitude, metaData }: Station) {
  const coordinate = [longitude, latitude]
  return { code: id, name, coordinate, active: true, available: true, metadata: metaData }
}

/** Returns the reference to a station's parent. Only car parks omit the type of their parent. */
function toChild({
  id,
  parentStation: code,
  parentStationType: type = 'ParkingFacility',
}: Station) {
  return code === undefined ? [] : [{ code: id, parent: { type, code } }]
}

/**
 * Returns the data types of a payload. They are in lists of lists or grouped by station type, and
 * often missing.
 */
function dataTypesOf(synced: unknown): readonly DataType[] {
  const lists = typeof synced === 'object' && synced !== null ? Object.values(synced) : []
  const all = Parse(Type.Array(dataType), lists.flat(2))
  return all.map(({ name, unit, description, rtype, rType, metaData }) => ({
    name,
    unit,
    description,
    type: rtype ?? rType ?? null,
    metadata: metaData,
  }))
}

type Value = { readonly stationType: string; readonly period: number; readonly item: Measurement }

function valuesOf(roots: readonly Static<typeof root>[]): readonly Omit<Value, 'stationType'>[] {
  return roots.flatMap(({ branch }) =>
    Object.entries(branch).flatMap(([code, { branch: types }]) =>
      Object.entries(types).flatMap(([type, { data }]) =>
        data.map(({ value: measured, period, timestamp }) => ({
          period,
          item: [code, type, new Date(timestamp).toISOString(), measured] as const,
        })),
      ),
    ),
  )
}

function messagesOf(values: readonly Value[]): readonly Message[] {
  const groups = Map.groupBy(
    values,
    ({ stationType, period }) => `${stationType} ${String(period)}`,
  )
  return [...groups.values()].map((group) => ({
    kind: 'measurements',
    stationType: group[0]?.stationType ?? '',
    period: group[0]?.period ?? 0,
    items: group.map(({ item }) => item),
  }))
}
