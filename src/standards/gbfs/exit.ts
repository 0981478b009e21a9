import { newestOf } from '../keep-exit.ts'
import type { Built, Exit, Offer } from '../keep-exit.ts'
import { dataTypesIn } from '../source.ts'
import { discoveryPath, listed, manifestPath, printFiles } from './documents.ts'
import type { File } from './documents.ts'
import { earliest, licenceOf, versions } from './kinds.ts'
import type { Form } from './kinds.ts'
import type { System } from './load-systems.ts'
import { countVehicles, lastingIn, mapVehicles } from './vehicles.ts'
import type { MappedVehicle } from './vehicles.ts'
import type { Members } from '../../lang/json.ts'
import type { CurrentStation, CurrentStations } from '../../timeseries/index.ts'
import type { SystemDefinition } from './definition.ts'
import {
  pricingPlans,
  printZone,
  stationInformation,
  stationStatus,
  systemInformation,
  vehicleStatus,
  vehicleTypes,
  zoneRules,
  zones,
} from './fields.ts'
import { mapStations } from './stations.ts'
import type { MappedStation } from './stations.ts'
import { printFields, readFields } from './table.ts'
import type { Table, Values } from './table.ts'

type Deps = Published & {
  /**
   * Secret seed of the vehicle identifiers. It is not published with the files, so the identifiers
   * cannot be traced.
   */
  readonly secret: string
}

/** Publishes a sharing system as GBFS. */
export function gbfsExit(system: System, deps: Deps): Exit {
  const { definition } = system
  const { system_id: id, stations, vehicles, vehicle_types: types } = definition
  const { publicUrl, secret } = deps
  // A file from an archive may have a very old modification time.
  const stated = system.stated > earliest ? system.stated : earliest
  const parts = [stations, vehicles].filter((part) => part !== undefined)
  const sources = [
    ...parts.flatMap(({ fields }) => Object.values(fields)),
    ...types.flatMap(({ available }) => available ?? []),
  ]
  const fixed = fixedFiles({ definition, stated }, deps)
  return {
    name: `gbfs/${id}`,
    concerned: {
      types: [...new Set(parts.map(({ type }) => type))],
      dataTypes: [...new Set(sources.flatMap(dataTypesIn))],
      lasting: vehicles === undefined ? [] : lastingIn(vehicles),
    },
    offers: parts.flatMap(({ type }) => offersOf(id, type)),
    *build(current, moment) {
      const { files, ...counts } = yield* movingFiles({ definition, stated }, current, secret)
      const whole = { definition, publicUrl, stated }
      return { ...counts, documents: yield* printFiles(whole, [...fixed, ...files], moment) }
    },
  }
}

function offersOf(system: string, type: string): readonly Offer[] {
  return versions.map((version) => ({
    dataset: `timeseries/${type}`,
    name: 'GBFS',
    version,
    path: discoveryPath(system, version),
    mediaType: 'application/json',
  }))
}

type Published = {
  /** Without a trailing slash. */
  readonly publicUrl: string
  /** Licences of systems whose files state none: by origin in lower case, or `*`. */
  readonly licences: ReadonlyMap<string, string>
}

/** Creates the files that depend only on the system's file. */
function fixedFiles({ definition, stated }: System, deps: Published): readonly File[] {
  const { languages } = definition
  const information = readFields(systemInformation, definition.system_information, languages)
  const file = (name: string, data: File['data']): File => ({
    name,
    changed: stated,
    isLocalized: true,
    data,
  })
  const read = (table: Table, items: readonly Members[] = []) =>
    items.map((item) => readFields(table, item, languages))
  const types = read(vehicleTypes, definition.vehicle_types)
  const plans = read(pricingPlans, definition.system_pricing_plans)
  const areas = read(zones, definition.geofencing_zones)
  const rules = read(zoneRules, definition.global_rules)
  const print = (table: Table, items: readonly Values[], form: Form) =>
    items.map((item) => printFields(table, item, form))
  return [
    file('system_information', (form) => ({
      ...identity(definition, form, deps),
      ...printFields(systemInformation, information, form),
    })),
    file('vehicle_types', (form) => ({ vehicle_types: print(vehicleTypes, types, form) })),
    ...(plans.length === 0
      ? []
      : [file('system_pricing_plans', (form) => ({ plans: print(pricingPlans, plans, form) }))]),
    ...(areas.length === 0
      ? []
      : [
          file('geofencing_zones', (form) => ({
            geofencing_zones: {
              type: 'FeatureCollection',
              features: areas.map((area) => printZone(area, form)),
            },
            ...(form.version === '3.0' ? { global_rules: print(zoneRules, rules, form) } : {}),
          })),
        ]),
  ]
}

/** Returns the fields of the system that are not in a table of fields. */
function identity(
  { system_id, languages, license, stations, vehicles }: SystemDefinition,
  { version, language }: Form,
  { publicUrl, licences }: Published,
): Members {
  const origin = (stations ?? vehicles)?.origins?.[0]?.toLowerCase() ?? '*'
  const written = license ?? licences.get(origin) ?? licences.get('*')
  const { identifier, url } = (written === undefined ? undefined : licenceOf(written)) ?? {}
  const address = url === undefined ? {} : { license_url: url }
  if (version === '2.3') return { system_id, language, ...address }
  return {
    system_id,
    languages,
    ...(identifier === undefined ? address : { license_id: identifier }),
    manifest_url: `${publicUrl}${manifestPath}`,
  }
}

type Moving = Pick<Built, 'published' | 'leftOut'> & { readonly files: readonly File[] }

/**
 * Creates the files that depend on stations and their values. Yields between stations.
 * @param secret seed of the vehicle identifiers
 */
function* movingFiles(
  { definition, stated }: System,
  current: CurrentStations,
  secret: string,
): Generator<undefined, Moving> {
  const stations = yield* mapStations(definition, current)
  const stationIds = new Set(stations.mapped.map(({ id }) => id))
  const vehicles = yield* mapVehicles({ definition, current, stationIds, secret })
  const shown = { stated, stations: stations.mapped, vehicles: vehicles.mapped }
  return {
    files: [
      ...(definition.stations === undefined ? [] : stationFiles(definition, shown)),
      ...(definition.vehicles === undefined ? [] : [vehicleFile(shown)]),
    ],
    published: stations.mapped.length + vehicles.mapped.length,
    leftOut: [...stations.leftOut, ...vehicles.leftOut],
  }
}

type Shown = {
  readonly stations: readonly MappedStation[]
  readonly vehicles: readonly MappedVehicle[]
  readonly stated: Date
}

/**
 * Returns when the newest visible part of the stations was stored, but not earlier than the
 * system's file.
 */
function timeOf(stations: readonly CurrentStation[], stated: Date): Date {
  const newest = newestOf(stations)
  return newest > stated ? newest : stated
}

function stationFiles(
  definition: SystemDefinition,
  { stations, vehicles, stated }: Shown,
): readonly File[] {
  const countsAt = countVehicles(definition, vehicles)
  const sources = stations.map(({ station }) => station)
  const constant = sources.map((station) => ({ ...station, values: {} }))
  return [
    {
      name: 'station_information',
      changed: timeOf(followsValues(definition) ? sources : constant, stated),
      isLocalized: true,
      data: (form) => ({
        stations: listed(stations, ({ id, longitude, latitude, values }) => ({
          station_id: id,
          lat: latitude,
          lon: longitude,
          ...printFields(stationInformation, values, form),
        })),
      }),
    },
    {
      name: 'station_status',
      changed: timeOf([...sources, ...vehicles.map(({ station }) => station)], stated),
      isLocalized: false,
      data: (form) => ({
        stations: listed(stations, (station) => ({
          station_id: station.id,
          ...printFields(stationStatus, station.values, form),
          vehicle_types_available: countsAt(station),
        })),
      }),
    },
  ]
}

/** Reports whether station information, which otherwise changes seldom, depends on values. */
function followsValues({ stations }: SystemDefinition): boolean {
  return Object.entries(stations?.fields ?? {}).some(
    ([name, source]) => Object.hasOwn(stationInformation, name) && dataTypesIn(source).length > 0,
  )
}

function vehicleFile({ vehicles, stated }: Shown): File {
  return {
    name: 'vehicle_status',
    in23: 'free_bike_status',
    changed: timeOf(
      vehicles.map(({ station }) => station),
      stated,
    ),
    isLocalized: false,
    data: (form) => ({
      [form.version === '3.0' ? 'vehicles' : 'bikes']: listed(vehicles, (vehicle) =>
        printVehicle(vehicle, form),
      ),
    }),
  }
}

function printVehicle(vehicle: MappedVehicle, form: Form): Members {
  const { id, place, references, values } = vehicle
  return {
    [form.version === '3.0' ? 'vehicle_id' : 'bike_id']: id,
    ...(place === undefined ? {} : { lat: place.latitude, lon: place.longitude }),
    ...printFields(vehicleStatus, values, form),
    ...references,
  }
}
