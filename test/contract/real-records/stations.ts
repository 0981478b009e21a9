import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { all, readXml, text } from '../datex/xml-tree.ts'
import type { Measurement, Message } from './messages.ts'

const signs = Type.Object({
  data: Type.Object({
    stations: Type.Array(
      Type.Object({
        station_id: Type.String(),
        name: Type.String(),
        lat: Type.Number(),
        lon: Type.Number(),
        origin: Type.String(),
        type: Type.String(),
        direction: Type.Integer(),
      }),
    ),
  }),
})

/** Converts variable message signs of the motorway. */
export function fromSigns(read: unknown): readonly Message[] {
  const { stations } = Parse(signs, read).data
  const items = stations.map(({ station_id: code, name, lat, lon, type, direction }) => ({
    code,
    name,
    coordinate: [lon, lat],
    metadata: { type, direction },
  }))
  return [{ kind: 'stations', stationType: 'VMS', origin: 'A22', items }]
}

const flatRows = Type.Object({
  data: Type.Object({
    station: Type.Array(
      Type.Object({
        scode: Type.String(),
        sname: Type.String(),
        sorigin: Type.String(),
        stype: Type.String(),
        sactive: Type.Boolean(),
        savailable: Type.Boolean(),
        scoordinate: Type.Object({ x: Type.Number(), y: Type.Number() }),
        smetadata: Type.Object({}),
        tname: Type.String(),
        tdescription: Type.String(),
        ttype: Type.String(),
        tunit: Type.String(),
        tmetadata: Type.Object({}),
      }),
    ),
  }),
})

/**
 * Converts rows of stations and data types from flat,node. The codes of the signs are in the
 * metadata.
 */
export function fromFlatRows(read: unknown): readonly Message[] {
  return Parse(flatRows, read).data.station.flatMap((row): readonly Message[] => [
    {
      kind: 'stations',
      stationType: row.stype,
      origin: row.sorigin,
      items: [
        {
          code: row.scode,
          name: row.sname,
          active: row.sactive,
          available: row.savailable,
          coordinate: [row.scoordinate.x, row.scoordinate.y],
          metadata: row.smetadata,
        },
      ],
    },
    {
      kind: 'dataTypes',
      items: [
        {
          name: row.tname,
          description: row.tdescription,
          type: row.ttype,
          unit: row.tunit,
          metadata: row.tmetadata,
        },
      ],
    },
  ])
}

const meteoStations = Type.Object({
  features: Type.Array(
    Type.Object({
      geometry: Type.Object({ coordinates: Type.Array(Type.Number()) }),
      properties: Type.Object({ SCODE: Type.String(), NAME_I: Type.String() }),
    }),
  ),
})

/** Converts weather stations of South Tyrol. Their positions are in EPSG:25832, in metres. */
export function fromMeteoStations(read: unknown): readonly Message[] {
  const items = Parse(meteoStations, read).features.map(({ geometry, properties }) => ({
    code: properties.SCODE,
    name: properties.NAME_I,
    coordinate: geometry.coordinates,
    srid: 25832,
    metadata: properties,
  }))
  return [{ kind: 'stations', stationType: 'MeteoStation', origin: 'SIAG', items }]
}

const sensors = Type.Array(
  Type.Object({
    SCODE: Type.String(),
    TYPE: Type.String(),
    DESC_I: Type.String(),
    UNIT: Type.String(),
    DATE: Type.Optional(Type.String()),
    VALUE: Type.Optional(Type.Number()),
  }),
)

const zones = { CET: '+01:00', CEST: '+02:00' } as const

/**
 * Converts the latest measurements of the weather stations of South Tyrol. Two sensors belong to a
 * station that is not listed.
 */
export function fromMeteoSensors(read: unknown): readonly Message[] {
  const all = Parse(sensors, read)
  const types = new Map(all.map(({ TYPE, DESC_I, UNIT }) => [TYPE, [UNIT, DESC_I] as const]))
  const items = all.flatMap(({ SCODE, TYPE, DATE, VALUE }): readonly Measurement[] => {
    if (DATE === undefined || VALUE === undefined) return []
    const time = DATE.replace(/CES?T$/, (zone) => (zone === 'CET' ? zones.CET : zones.CEST))
    return [[SCODE, TYPE, time, VALUE]]
  })
  const stations = [...new Set(items.map(([code]) => code))].map((code) => ({ code }))
  return [
    {
      kind: 'dataTypes',
      items: [...types].map(([name, [unit, description]]) => ({ name, unit, description })),
    },
    { kind: 'stations', stationType: 'MeteoStation', origin: 'SIAG', items: stations },
    { kind: 'measurements', stationType: 'MeteoStation', period: 600, items },
  ]
}

/** Converts weather stations of Trentino, from XML. */
export function fromMeteoXml(xml: string): readonly Message[] {
  const items = all(readXml(xml), 'pointOfMeasureInfo').map((point) => ({
    code: text(point, 'code') ?? '',
    name: text(point, 'name') ?? '',
    coordinate: [Number(text(point, 'longitude')), Number(text(point, 'latitude'))],
    metadata: Object.fromEntries(point.children.map(({ name, text: written }) => [name, written])),
  }))
  return [{ kind: 'stations', stationType: 'MeteoStation', origin: 'meteotrentino', items }]
}

const places = Type.Array(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    lat: Type.Number(),
    lon: Type.Number(),
  }),
)

/** Converts places of the Euregio weather forecast. */
export function fromForecastPlaces(read: unknown): readonly Message[] {
  const items = Parse(places, read).map(({ id, name, lat, lon, ...metadata }) => ({
    code: `EUREGIO:${id}`,
    name,
    coordinate: [lon, lat],
    metadata,
  }))
  return [{ kind: 'stations', stationType: 'WeatherForecast', origin: 'EUREGIO', items }]
}

const rentals = Type.Array(
  Type.Object({
    id: Type.Integer(),
    name: Type.Record(Type.String(), Type.String()),
    latitude: Type.String(),
    longitude: Type.String(),
  }),
)

/** Converts bicycle rental shops. */
export function fromRentals(read: unknown): readonly Message[] {
  const items = Parse(rentals, read).map(({ id, latitude, longitude, ...metadata }) => ({
    code: String(id),
    name: metadata.name['it'] ?? String(id),
    coordinate: [Number(longitude), Number(latitude)],
    metadata,
  }))
  return [{ kind: 'stations', stationType: 'BikesharingStation', origin: 'papin', items }]
}

const vehicle = Type.Object({
  code: Type.String(),
  batteryState: Type.String(),
  vehicleType: Type.Object({ name: Type.String(), electric: Type.Boolean() }),
})

const bikeStation = Type.Object({
  id: Type.String(),
  name: Type.String(),
  address: Type.String(),
  state: Type.String(),
  lat: Type.Number(),
  lng: Type.Number(),
  totalBays: Type.Integer(),
  freeBay: Type.Integer(),
  availableVehicles: Type.Integer(),
  bays: Type.Object({
    nodes: Type.Array(
      Type.Object({
        label: Type.String(),
        state: Type.String(),
        vehicle: Type.Union([vehicle, Type.Null()]),
      }),
    ),
  }),
})

/**
 * Converts a bike sharing station and the bicycles in its bays, from a response of the public
 * system.
 */
export function fromBikeStation(read: unknown): readonly Message[] {
  const { bays, ...station } = Parse(bikeStation, read)
  const { id: code, name, lat, lng, address, state, totalBays, freeBay } = station
  const origin = 'BIKE_SHARING_BOLZANO'
  const time = '2026-11-20T12:00:00Z'
  const parent = { type: 'BikesharingStation', code }
  const bicycles = bays.nodes.flatMap((bay) =>
    bay.vehicle === null ? [] : [{ ...bay.vehicle, isReady: bay.state === 'READY' }],
  )
  return [
    {
      kind: 'dataTypes',
      items: ['number-available', 'free-bays', 'availability'].map((one) => ({ name: one })),
    },
    {
      kind: 'stations',
      stationType: 'BikesharingStation',
      origin,
      items: [{ code, name, coordinate: [lng, lat], metadata: { address, state, 'total-bays': totalBays } }],
    },
    {
      kind: 'stations',
      stationType: 'Bicycle',
      origin,
      items: bicycles.map(({ code: own, batteryState, vehicleType }) => ({
        code: own,
        parent,
        metadata: { batteryState, electric: vehicleType.electric, type: vehicleType.name },
      })),
    },
    {
      kind: 'measurements',
      stationType: 'BikesharingStation',
      period: 300,
      items: [
        [code, 'number-available', time, station.availableVehicles],
        [code, 'free-bays', time, freeBay],
      ],
    },
    {
      kind: 'measurements',
      stationType: 'Bicycle',
      period: 300,
      items: bicycles.map(({ code: own, isReady }) => [own, 'availability', time, isReady ? 1 : 0]),
    },
  ]
}
