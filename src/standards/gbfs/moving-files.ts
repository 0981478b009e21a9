import type { Members } from '../../lang/json.ts'
import type { CurrentStations } from '../../timeseries/index.ts'
import type { Built } from '../keep-exit.ts'
import { dataTypesIn } from '../source.ts'
import type { SystemDefinition } from './definition.ts'
import type { File } from './documents.ts'
import { stationInformation, stationStatus, vehicleStatus } from './fields.ts'
import type { Form } from './kinds.ts'
import type { System } from './load-systems.ts'
import { mapStations } from './stations.ts'
import type { MappedStation } from './stations.ts'
import { printFields } from './table.ts'
import { countVehicles, mapVehicles } from './vehicles.ts'
import type { MappedVehicle } from './vehicles.ts'

type Moving = Pick<Built, 'published' | 'leftOut'> & { readonly files: readonly File[] }

/** What follows from stations and values; yields between them. @param secret of identifiers */
export function* movingFiles(
  { definition, stated }: System,
  current: CurrentStations,
  secret: string,
): Generator<undefined, Moving> {
  const stations = yield* mapStations(definition, current)
  const stationIds = new Set(stations.mapped.map(({ id }) => id))
  const vehicles = yield* mapVehicles({ definition, current, stationIds, secret })
  const after = (changed: Date) => (changed > stated ? changed : stated)
  const times = {
    stationsChanged: after(current.stationsChanged),
    valuesChanged: after(current.valuesChanged),
  }
  return {
    files: [
      ...(definition.stations === undefined
        ? []
        : stationFiles(definition, {
            stations: stations.mapped,
            vehicles: vehicles.mapped,
            ...times,
          })),
      ...(definition.vehicles === undefined
        ? []
        : [vehicleFile(vehicles.mapped, times.valuesChanged)]),
    ],
    published: stations.mapped.length + vehicles.mapped.length,
    leftOut: [...stations.leftOut, ...vehicles.leftOut],
  }
}

type Shown = Pick<CurrentStations, 'stationsChanged' | 'valuesChanged'> & {
  readonly stations: readonly MappedStation[]
  readonly vehicles: readonly MappedVehicle[]
}

function stationFiles(
  definition: SystemDefinition,
  { stations, vehicles, stationsChanged, valuesChanged }: Shown,
): readonly File[] {
  const countsAt = countVehicles(definition, vehicles)
  return [
    {
      name: 'station_information',
      changed: followsValues(definition) ? valuesChanged : stationsChanged,
      isLocalized: true,
      data: (form) => ({
        stations: stations.map(({ id, longitude, latitude, values }) => ({
          station_id: id,
          lat: latitude,
          lon: longitude,
          ...printFields(stationInformation, values, form),
        })),
      }),
    },
    {
      name: 'station_status',
      changed: valuesChanged,
      isLocalized: false,
      data: (form) => ({
        stations: stations.map((station) => ({
          station_id: station.id,
          ...printFields(stationStatus, station.values, form),
          vehicle_types_available: countsAt(station),
        })),
      }),
    },
  ]
}

/** Whether a value feeds what else seldom changes. */
function followsValues({ stations }: SystemDefinition): boolean {
  return Object.entries(stations?.fields ?? {}).some(
    ([name, source]) => Object.hasOwn(stationInformation, name) && dataTypesIn(source).length > 0,
  )
}

function vehicleFile(vehicles: readonly MappedVehicle[], changed: Date): File {
  return {
    name: 'vehicle_status',
    in23: 'free_bike_status',
    changed,
    isLocalized: false,
    data: (form) => {
      const printed = vehicles.map((vehicle) => printVehicle(vehicle, form))
      return form.version === '3.0' ? { vehicles: printed } : { bikes: printed }
    },
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
