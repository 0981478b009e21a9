import { createHmac } from 'node:crypto'
import type { Members } from '../../lang/json.ts'
import type { CurrentStation, CurrentStations } from '../../timeseries/index.ts'
import type { LeftOut } from '../keep-exit.ts'
import { dataTypesIn, valuesOf } from '../source.ts'
import type { SystemDefinition } from './definition.ts'
import { vehicleFields } from './definition.ts'
import { inRange, isPlace, readText, readTruth } from './kinds.ts'
import { inactive, lastReported, noPosition, stationsFor, toId } from './stations.ts'
import type { Lack, Mapped, MappedStation, OfType } from './stations.ts'
import { takeFields } from './table.ts'
import type { Values } from './table.ts'

/** A vehicle that is not in use, before it is printed. */
export type MappedVehicle = {
  /** Identifier that changes after each trip. */
  readonly id: string
  /** References to its type, its station and other objects. */
  readonly references: {
    readonly vehicle_type_id: string
    readonly station_id?: string
    readonly home_station_id?: string
    readonly pricing_plan_id?: string
  }
  readonly place: Place | undefined
  readonly values: Values
  /** True if it can be rented now: it is neither reserved nor out of order. */
  readonly isFree: boolean
  readonly station: CurrentStation
}

type Place = { readonly longitude: number; readonly latitude: number }
type VehicleType = SystemDefinition['vehicle_types'][number]

type Context = {
  readonly definition: SystemDefinition
  readonly current: CurrentStations
  /**
   * Identifiers of published stations. Vehicles at any other station are published without a
   * station.
   */
  readonly stationIds: ReadonlySet<string>
  /**
   * Secret seed of the vehicle identifiers. It is not published with the files, so the identifiers
   * cannot be traced.
   */
  readonly secret: string
}

/** Maps the vehicles of a system. Yields after every hundred vehicles. */
export function* mapVehicles(context: Context): Generator<undefined, Mapped<MappedVehicle>> {
  const mapped: MappedVehicle[] = []
  const leftOut: LeftOut[] = []
  const { vehicles } = context.definition
  if (vehicles === undefined) return { mapped, leftOut }
  for (const [index, station] of stationsFor(vehicles, context.current).entries()) {
    if (index % 100 === 99) yield
    const found = mapVehicle(vehicles, station, context)
    if (found === 'used') continue
    if ('lacks' in found) leftOut.push({ type: station.type, code: station.code, ...found })
    else mapped.push(found)
  }
  return { mapped, leftOut }
}

function mapVehicle(
  vehicles: OfType,
  station: CurrentStation,
  context: Context,
): MappedVehicle | Lack | 'used' {
  const { languages, system_id } = context.definition
  const candidates = candidatesOf(vehicles, station)
  const isAvailable = candidates('is_available')
    .map(readTruth)
    .find((one) => one !== undefined)
  if (isAvailable === false && station.active) return 'used'
  const type = typeOf(context.definition, candidates('vehicle_type_id'))
  const own = takeFields(vehicleFields, vehicles.fields, { station, languages })
  const range = type && rangeOf(type, own, candidates('current_fuel_percent'))
  const place = placeOf(station)
  const references = referencesOf(context, candidates)
  const lack = lackOf(station, {
    isAvailable,
    type,
    range,
    isSomewhere: place !== undefined || references.station_id !== undefined,
  })
  if (lack !== undefined) return lack
  const reported = own['last_reported'] ?? lastReported(vehicles, station)
  const stands = references.station_id ?? roughly(place)
  const { is_reserved: isReserved, is_disabled: isDisabled } = printed(own)
  return {
    id: rotatingId(context.secret, [system_id, station.code, sinceOf(vehicles, station), stands]),
    references: { ...references, vehicle_type_id: String(type?.['vehicle_type_id']) },
    place,
    values: {
      ...own,
      ...(reported === undefined ? {} : { last_reported: reported }),
      ...(range === undefined ? {} : { current_range_meters: () => range }),
    },
    isFree: isReserved !== true && isDisabled !== true,
    station,
  }
}

type Candidates = (field: string) => readonly unknown[]

function candidatesOf({ fields }: OfType, station: CurrentStation): Candidates {
  return (field) => {
    const source = fields[field]
    return source === undefined ? [] : valuesOf(source, station)
  }
}

type Known = {
  readonly isAvailable: boolean | undefined
  readonly type: VehicleType | undefined
  readonly range: number | undefined
  readonly isSomewhere: boolean
}

function lackOf({ active }: CurrentStation, known: Known): Lack | undefined {
  if (!active) return inactive
  if (known.isAvailable === undefined) {
    const reason = 'No open data shows whether it is in use.'
    return { lacks: 'is_available', reason }
  }
  if (known.type === undefined) {
    const reason = 'It matches none of the vehicle types of the system.'
    return { lacks: 'vehicle_type_id', reason }
  }
  if (!known.isSomewhere) return noPosition
  if (known.range === undefined && known.type['propulsion_type'] !== 'human') {
    const reason = 'It has a motor, but its range is unknown.'
    return { lacks: 'current_range_meters', reason }
  }
  return undefined
}

/**
 * Returns references to published stations and known plans only, because others would lead nowhere.
 */
function referencesOf({ definition, stationIds }: Context, candidates: Candidates) {
  const plans = (definition.system_pricing_plans ?? []).map(({ plan_id: id }) => id)
  const atStation = (field: string) =>
    candidates(field)
      .flatMap((one) => readText(one) ?? [])
      .map(toId)
      .find((id) => stationIds.has(id))
  const [station, home] = [atStation('station_id'), atStation('home_station_id')]
  const plan = candidates('pricing_plan_id')
    .flatMap((one) => readText(one) ?? [])
    .find((id) => plans.includes(id))
  return {
    ...(station === undefined ? {} : { station_id: station }),
    ...(home === undefined ? {} : { home_station_id: home }),
    ...(plan === undefined ? {} : { pricing_plan_id: plan }),
  }
}

function printed(values: Values): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value({ version: '3.0', language: '' })]),
  )
}

/**
 * Returns the type of a vehicle. If a system has only one type, all its vehicles are of that type.
 */
function typeOf({ vehicle_types: types }: SystemDefinition, candidates: readonly unknown[]) {
  const found = candidates.map((id) => types.find(({ vehicle_type_id }) => vehicle_type_id === id))
  const [only, ...others] = types
  return found.find((type) => type !== undefined) ?? (others.length === 0 ? only : undefined)
}

function placeOf({ position }: CurrentStation): Place | undefined {
  return position !== null && isPlace(position) ? position : undefined
}

/** Returns the range as stated, or as estimated from the state of charge. */
function rangeOf(type: VehicleType, own: Values, percents: readonly unknown[]): number | undefined {
  const given = inRange(printed(own)['current_range_meters'], Number.MAX_VALUE)
  const most = inRange(type['max_range_meters'], Number.MAX_VALUE)
  const charge = percents.map((one) => inRange(one, 1)).find((one) => one !== undefined)
  if (given !== undefined || most === undefined || charge === undefined) return given
  return Math.round(most * charge)
}

/**
 * Returns the time since when the vehicle has been free at its place. If metadata state whether it
 * is free, this is the time at which they last changed.
 */
function sinceOf(vehicles: OfType, { values, described }: CurrentStation): string {
  const times = lastingIn(vehicles).flatMap((dataType) => values[dataType]?.since?.getTime() ?? [])
  const { is_available: isAvailable = [] } = vehicles.fields
  const isDescribed = dataTypesIn(isAvailable).every((name) => values[name]?.since === undefined)
  return String(Math.max(isDescribed ? described.getTime() : 0, ...times))
}

/** Returns the data types that state whether a vehicle is in use, and where it is. */
export function lastingIn({ fields }: OfType): readonly string[] {
  const sources = [fields['is_available'], fields['station_id']]
  return sources.filter((one) => one !== undefined).flatMap(dataTypesIn)
}

/**
 * Rounds a place to about 100 m, because the reported position of a parked vehicle moves a little.
 */
function roughly(place: Place | undefined): string {
  return place === undefined ? '' : `${place.longitude.toFixed(3)} ${place.latitude.toFixed(3)}`
}

/**
 * Returns an identifier from which no reader can tell which vehicle it was before its last trip, as
 * the standard requires.
 */
function rotatingId(secret: string, parts: readonly string[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
}

/**
 * Returns a function that counts the vehicles of each type at a station. The remaining ones are of
 * the first type.
 */
export function countVehicles(
  { vehicle_types: types }: SystemDefinition,
  vehicles: readonly MappedVehicle[],
): (station: MappedStation) => readonly Members[] {
  const [first, ...others] = types.map(({ vehicle_type_id: id }) => String(id))
  const free = vehicles.filter(({ isFree }) => isFree)
  const standing = Map.groupBy(
    free,
    ({ references }) => `${references.vehicle_type_id} ${String(references.station_id)}`,
  )
  return ({ id, available, ofType }) => {
    let rest = available
    const counts = others.map((type) => {
      const found = ofType.get(type) ?? standing.get(`${type} ${id}`)?.length ?? 0
      const count = Math.min(rest, found)
      rest -= count
      return { vehicle_type_id: type, count }
    })
    return [{ vehicle_type_id: first, count: rest }, ...counts]
  }
}
