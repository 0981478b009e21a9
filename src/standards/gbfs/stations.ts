import type { CurrentStation, CurrentStations } from '../../timeseries/index.ts'
import type { LeftOut } from '../keep-exit.ts'
import { dataTypesIn, valuesOf } from '../source.ts'
import type { Source } from '../source.ts'
import { isPlace, readCount, time } from './kinds.ts'
import type { Form, Written } from './kinds.ts'
import { stationFields } from './definition.ts'
import type { SystemDefinition } from './definition.ts'
import { takeFields } from './table.ts'
import type { Values } from './table.ts'

/** A station in terms of the standard, before it is printed. */
export type MappedStation = {
  readonly id: string
  readonly longitude: number
  readonly latitude: number
  /** Values for both files about stations. */
  readonly values: Values
  readonly available: number
  /** Number of available vehicles by vehicle type, if the system's file has a source for it. */
  readonly ofType: ReadonlyMap<string, number>
  readonly station: CurrentStation
}

export type Mapped<Thing> = {
  readonly mapped: readonly Thing[]
  readonly leftOut: readonly LeftOut[]
}

/** Reason why a station or vehicle cannot be published. */
export type Lack = Pick<LeftOut, 'lacks' | 'reason'>

export type OfType = {
  readonly type: string
  readonly origins?: readonly string[]
  readonly fields: Readonly<Record<string, Source>>
}

/** Returns the stations that feed a part of a system. */
export function stationsFor(
  { type, origins }: OfType,
  current: CurrentStations,
): readonly CurrentStation[] {
  return current.stations.filter(
    (station) =>
      station.type === type && (origins === undefined || origins.includes(station.origin ?? '')),
  )
}

/**
 * Converts a code to an identifier, which may contain only ASCII characters and no spaces.
 * Different codes yield different identifiers, because the escape character is itself escaped.
 */
export function toId(code: string): string {
  return code.toWellFormed().replace(/[^!-$&-~]+/g, encodeURIComponent)
}

/** Maps the stations of a system. Yields after every hundred stations. */
export function* mapStations(
  definition: SystemDefinition,
  current: CurrentStations,
): Generator<undefined, Mapped<MappedStation>> {
  const mapped: MappedStation[] = []
  const leftOut: LeftOut[] = []
  const { stations, languages } = definition
  if (stations === undefined) return { mapped, leftOut }
  const required = ['name', 'num_vehicles_available', ...(stations.required ?? [])]
  const name = [stations.fields['name'] ?? [], 'name', 'code']
  const sources = { ...stations.fields, name }
  for (const [index, station] of stationsFor(stations, current).entries()) {
    if (index % 100 === 99) yield
    const values = takeFields(stationFields, sources, { station, languages })
    const reported = values['last_reported'] ?? lastReported(stations, station)
    const lack = lackOf(station, values, required)
    const { type, code, position } = station
    if (lack !== undefined || position === null) {
      leftOut.push({ type, code, ...(lack ?? noPosition) })
    } else if (reported === undefined) {
      leftOut.push({ type, code, lacks: 'last_reported', reason: 'Its values are of before 2016.' })
    } else {
      mapped.push({
        id: toId(code),
        ...position,
        values: { ...values, last_reported: reported },
        available: readCount(values['num_vehicles_available']?.(anyForm)) ?? 0,
        ofType: countsOf(definition, station),
        station,
      })
    }
  }
  return { mapped, leftOut }
}

const anyForm: Form = { version: '3.0', language: '' }

function countsOf({ vehicle_types: types }: SystemDefinition, station: CurrentStation) {
  const counts = types.flatMap(({ vehicle_type_id: id, available }) => {
    const values = available === undefined ? [] : valuesOf(available, station)
    const count = values.map(readCount).find((one) => one !== undefined)
    return count === undefined ? [] : [[String(id), count] as const]
  })
  return new Map(counts)
}

export const noPosition: Lack = { lacks: 'position', reason: 'It has no position.' }
export const inactive: Lack = { lacks: 'active', reason: 'Its provider does not list it any more.' }

function lackOf(
  { active, position }: CurrentStation,
  values: Values,
  required: readonly string[],
): Lack | undefined {
  if (!active) return inactive
  if (position === null) return noPosition
  if (!isPlace(position)) return { lacks: 'position', reason: 'Its position is impossible.' }
  const missing = required.find((field) => values[field] === undefined)
  if (missing === undefined) return undefined
  const kind = stationFields[missing]?.kind
  const reason = `No open data provides ${missing}: ${kind?.expected ?? 'a value'}.`
  return { lacks: missing, reason }
}

/**
 * Returns when the newest value that is shown was measured, or for a station without values when
 * its metadata last changed.
 */
export function lastReported(
  { fields }: OfType,
  { values, described }: CurrentStation,
): Written | undefined {
  const times = Object.values(fields)
    .flatMap(dataTypesIn)
    .flatMap((dataType) => values[dataType]?.time.getTime() ?? [])
  const newest = times.length === 0 ? described : new Date(Math.max(...times))
  return time.read(newest, [])
}
