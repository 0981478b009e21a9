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

/** A station as the standard has it, before it is printed. */
export type MappedStation = {
  readonly id: string
  readonly longitude: number
  readonly latitude: number
  /** Fields of both files about stations. */
  readonly values: Values
  readonly available: number
  /** How many of them are of a vehicle type, where the system's file says what gives it. */
  readonly ofType: ReadonlyMap<string, number>
  readonly station: CurrentStation
}

export type Mapped<Thing> = {
  readonly mapped: readonly Thing[]
  readonly leftOut: readonly LeftOut[]
}

/** Why something cannot be published. */
export type Lack = Pick<LeftOut, 'lacks' | 'reason'>

export type OfType = {
  readonly type: string
  readonly origins?: readonly string[]
  readonly fields: Readonly<Record<string, Source>>
}

/** The stations that a part of a system is made from. */
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
 * Codes are identifiers, except that these have no spaces and ASCII characters only. No two codes become one:
 * the sign that stands for others does so for itself, too.
 */
export function toId(code: string): string {
  return code.toWellFormed().replace(/[^!-$&-~]+/g, encodeURIComponent)
}

/** Maps the stations of a system; yields between them. */
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
  const reason = `Nothing gives ${missing}: ${kind?.expected ?? ''}, which everybody may see.`
  return { lacks: missing, reason }
}

/** When the newest value that is shown was measured; without values, when its metadata last changed. */
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
