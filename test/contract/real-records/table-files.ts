import { existsSync, readdirSync } from 'node:fs'
import { sharedPath } from '../../fixtures/shared-data.ts'
import { fromHistoryTable, fromStationTable } from './tables.ts'
import type { TimeseriesFile } from './messages.ts'

const parking = { stationType: 'ParkingStation', period: 300 }
const freeAndOccupied = { ...parking, time: 'mvalidtime', dataTypes: ['free', 'occupied'] }

/** Number of values per car park, in the order of the file names. */
const historyCounts = [
  ...[144, 145, 145, 145, 287, 287, 287, 287, 267, 288, 288, 288, 288, 288, 862, 2852],
]

/** Files that contain tables. */
export const tableFiles: readonly TimeseriesFile[] = [
  [
    'parking/stations-skidata.csv',
    fromStationTable({
      ...{ stationType: 'ParkingPlace', origin: 'STA', code: 'id', name: 'name' },
      ...{ latitude: 'lat', longitude: 'lon' },
    }),
    { stations: 65 },
  ],
  [
    'parking/stations-offstreet-famas.csv',
    fromStationTable({
      ...{ stationType: 'ParkingPlace', origin: 'FAMAS', code: 'id', name: 'name' },
      ...{ latitude: 'latitude', longitude: 'longitude' },
    }),
    { stations: 9 },
  ],
  [
    'parking/stations-onstreet-bz.csv',
    fromStationTable({
      ...{ stationType: 'ParkingSensor', origin: 'axians', code: 'Stationcode' },
      ...{ name: 'Description', latitude: 'Latitude', longitude: 'Longitude' },
    }),
    { stations: 31 },
  ],
  [
    'parking/stations-onstreet-merano.csv',
    fromStationTable({ stationType: 'Sensor', origin: 'merano', code: 'guid', name: 'name' }),
    { stations: 58 },
  ],
  [
    'people/stations-people-flow-merano.csv',
    fromStationTable({
      ...{ stationType: 'PeopleCounter', origin: 'systems', code: 'id', name: 'name' },
      ...{ latitude: 'lat', longitude: 'lon' },
    }),
    { stations: 2 },
  ],
  [
    'weather/history-daily-weather-symbol-bolzano.csv',
    fromHistoryTable({
      ...{ stationType: 'WeatherForecastService', code: 'Bolzano', period: 86_400 },
      ...{ time: 'tomorrow_date', dataTypes: ['symbol_value'] },
    }),
    { stations: 1, dataTypes: 1, measurements: 1339 },
  ],
  [
    'weather/history-roadweather-101.csv',
    fromHistoryTable({
      ...{ stationType: 'RWISstation', code: '101', period: 300, time: 'time' },
      dataTypes: [
        ...['prec_qta', 'stato_meteo', 'temp_aria', 'temp_rugiada', 'temp_suolo', 'vento_vel'],
      ],
    }),
    { stations: 1, dataTypes: 6, measurements: 1002 },
  ],
  [
    'parking/history-parking-1station-2025-03.csv',
    fromHistoryTable({ ...freeAndOccupied, code: 'a month' }),
    { stations: 1, dataTypes: 2, measurements: 21_412 },
  ],
  [
    'parking/history-parking-1station-2024-04_2025-04.csv.gz',
    fromHistoryTable({ ...freeAndOccupied, code: 'a year', oneOf: 7 }),
    { stations: 1, dataTypes: 2, measurements: 28_904 },
  ],
  ...historyFiles(),
]

/**
 * Lists the history files, one per car park, named `<number>__<code>__<name>.csv`, without a header
 * line.
 */
function historyFiles(): readonly TimeseriesFile[] {
  const folder = 'parking/history-16-stations'
  const path = sharedPath(`data/timeseries/${folder}`)
  if (!existsSync(path)) return []
  const head = 'time,occupied'
  return readdirSync(path).map((file, place) => {
    const code = file.split('__')[1] ?? file
    const table = { ...parking, code, head, time: 'time', dataTypes: ['occupied'] }
    const counts = { stations: 1, dataTypes: 1, measurements: historyCounts[place] ?? 0 }
    return [`${folder}/${file}`, fromHistoryTable(table), counts]
  })
}
