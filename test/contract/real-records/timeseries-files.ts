import { fromStationTree } from '../../../scripts/samples/charging-stations.ts'
import { fromAnnouncements } from '../../../scripts/samples/province-traffic.ts'
import { fromEventRows } from './event-rows.ts'
import { fromLinkCodes, fromLinkShapes } from './links.ts'
import type { Counts, Message, TimeseriesFile } from './messages.ts'
import {
  fromBikeStation,
  fromFlatRows,
  fromForecastPlaces,
  fromMeteoSensors,
  fromMeteoStations,
  fromMeteoXml,
  fromRentals,
  fromSigns,
} from './stations.ts'
import { tableFiles } from './table-files.ts'
import { fromWriterPayload } from './writer-payload.ts'

const json =
  (convert: (read: unknown) => readonly Message[]): TimeseriesFile[1] =>
  (text) =>
    convert(JSON.parse(text))

const writer = (origin: string) => json(fromWriterPayload(origin))

/** Files in the order in which they are pushed, so that referenced items come first. */
export const timeseriesFiles: readonly TimeseriesFile[] = [
  [
    'echarging/tree-EChargingStation-number-available-latest.json',
    json(fromStationTree),
    { stations: 200, dataTypes: 1, measurements: 200 },
  ],
  [
    'parking/tree-ParkingStation-latest-1.json',
    json(fromStationTree),
    { stations: 1, dataTypes: 2, measurements: 2 },
  ],
  ['parking/bdp-sync-skidata.json', writer('skidata'), { dataTypes: 18, stations: 108 }],
  [
    'parking/bdp-push-skidata-realdata.json',
    writer('skidata'),
    { dataTypes: 24, measurements: 28 },
  ],
  ['parking/bdp-skidata.json', writer('skidata'), { dataTypes: 6, stations: 10, measurements: 36 }],
  [
    'parking/bdp-mybestparking.json',
    writer('mybestparking'),
    { dataTypes: 6, stations: 3, measurements: 12 },
  ],
  [
    'parking/bdp-onstreet-merano.json',
    writer('merano'),
    { dataTypes: 2, stations: 1, measurements: 2 },
  ],
  ['parking/bvg-out.json', writer('BVG'), { dataTypes: 8, stations: 37, measurements: 80 }],
  ['parking/swarco-out.json', writer('swarco'), { dataTypes: 20, stations: 1, measurements: 4 }],
  [
    'parking/affluences-bdp-out.json',
    writer('affluences'),
    { dataTypes: 6, stations: 2, measurements: 6 },
  ],
  [
    'bikecounter/ecocounter-bdp-out.json',
    writer('ecocounter'),
    { dataTypes: 3, stations: 49, measurements: 5031 },
  ],
  [
    'bikeboxes/bikeboxes-bdp-out.json',
    writer('bikeboxes'),
    { dataTypes: 4, stations: 1082, measurements: 585 },
  ],
  [
    'carsharing/alpsgo-bdp-out.json',
    writer('AlpsGo'),
    { dataTypes: 11, stations: 74, measurements: 515 },
  ],
  ['bikesharing/papin-stations.json', json(fromRentals), { stations: 137 }],
  [
    'bikesharing/bz-raw-station-01.json',
    json(fromBikeStation),
    { dataTypes: 3, stations: 10, measurements: 11 },
  ],
  [
    '../content/weather/euregio-forecast-stations-601.json',
    json(fromForecastPlaces),
    { stations: 601 },
  ],
  ['weather/euregio-forecast-1-bdp.json', writer('EUREGIO'), { dataTypes: 13, measurements: 529 }],
  ['weather/bz-forecast-datatypes.json', writer('SIAG'), { dataTypes: 11 }],
  ['weather/bz-meteostations.json', json(fromMeteoStations), { stations: 117 }],
  [
    'weather/bz-datatypes-per-station.json',
    json(fromMeteoSensors),
    { dataTypes: 14, stations: 114, measurements: 657 },
  ],
  ['weather/tn-meteostations.xml', fromMeteoXml, { stations: 208 }],
  ['vms-a22/vms-stations-297.json', json(fromSigns), { stations: 297 }],
  [
    'vms-a22/vms-station-2-with-signal-codes.json',
    json(fromFlatRows),
    { stations: 2, dataTypes: 2 },
  ],
  ...tableFiles,
  ['traffic/linkstation-geometries.json', json(fromLinkShapes), { edges: 1 }],
  ['traffic/linkstation-jams.json', json(fromLinkCodes), { stations: 41, edges: 67 }],
  ['traffic/linkstation-config.json', json(fromLinkCodes), { stations: 43, edges: 54 }],
  ['events/province-bz-traffic-out.json', json(fromAnnouncements), { events: 2 }],
  ['events/a22-events-announcements-out.json', json(fromAnnouncements), { events: 37 }],
  ['events/a22-brennerlec-out.json', json(fromAnnouncements), { events: 15 }],
  ['events/a22-opendata-out.json', json(fromAnnouncements), { events: 3 }],
  ['events/flat-event-latest-1.json', json(fromEventRows), { events: 1 }],
]

export function countOf(messages: readonly Message[]): Counts {
  const counts = new Map<Message['kind'], number>()
  for (const { kind, items } of messages) counts.set(kind, (counts.get(kind) ?? 0) + items.length)
  return Object.fromEntries([...counts].filter(([, count]) => count > 0))
}
