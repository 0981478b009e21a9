import type { DataTypeItem } from '../canonical.ts'

type Row = readonly [name: string, unit: string, type: string, description: string]

const rows: readonly Row[] = [
  ['occupied', '', 'Instantaneous', 'Occupied places'],
  ['free', '', 'Instantaneous', 'Free places'],
  ['parking-forecast-60', '', 'Forecast', 'Free places in an hour'],
  ['parking-forecast-120', '', 'Forecast', 'Free places in two hours, with bounds'],
  ['number-available', '', 'Instantaneous', 'Vehicles or plugs ready for use'],
  ['availability', '', 'Instantaneous', '1 when it can be taken'],
  ['current-station', '', 'Instantaneous', 'Code of the station where the car stands'],
  ['echarging-plug-status', '', 'Instantaneous', '1 when the plug is free'],
  ['usageState', '', 'Instantaneous', 'FREE or OCCUPIED'],
  ['Nr. Light Vehicles', '', 'Count', 'Cars and motorcycles that passed'],
  ['Nr. Heavy Vehicles', '', 'Count', 'Lorries and buses that passed'],
  ['Nr. Vehicles', '', 'Count', 'Vehicles that passed'],
  ['average-speed', 'km/h', 'Mean', 'Mean speed of light vehicles'],
  ['traffic-forecast', '', 'Forecast', 'Expected traffic by direction, 1 to 4'],
  ['road-surface-temperature', '°C', 'Mean', 'Temperature of the road surface'],
  ['road-condition', '', 'Instantaneous', 'State of the road surface'],
  ['vms-text', '', 'Instantaneous', 'What the sign shows'],
  ['vehicle detection', '', 'Count', 'Devices seen passing'],
  ['elapsed time (instantaneous)', 's', 'Mean', 'Travel time along the link'],
  ['level of service (instantaneous)', '', 'Instantaneous', '1 free to 4 jammed'],
  ['air-temperature', '°C', 'Mean', 'Air temperature at 2 m'],
  ['air-humidity', '%', 'Mean', 'Relative humidity'],
  ['precipitation', 'mm', 'Total', 'Precipitation in the period'],
  ['wind-speed', 'm/s', 'Mean', 'Wind speed at 10 m'],
  ['forecast-air-temperature', '°C', 'Forecast', 'Air temperature expected in two days'],
  ['qualitative-forecast', '', 'Forecast', 'Sky expected in two days'],
  ['NO2', 'µg/m³', 'Mean', 'Nitrogen dioxide'],
  ['PM10', 'µg/m³', 'Mean', 'Particulate matter up to 10 µm'],
  ['O3', 'µg/m³', 'Mean', 'Ozone'],
  ['indoor-temperature', '°C', 'Mean', 'Temperature of the room'],
  ['co2-level', 'ppm', 'Mean', 'Carbon dioxide in the room'],
  ['count-bikes', '', 'Count', 'Bicycles that passed'],
  ['count-people', '', 'Count', 'People who passed'],
  ['position', '', 'Instantaneous', 'Where the vehicle is, as GeoJSON'],
  ['passengers', '', 'Instantaneous', 'People on board'],
]

/** Everything that is measured in the region. */
export const dataTypes: readonly DataTypeItem[] = rows.map(([name, unit, type, description]) => ({
  ...{ name, unit, type, description },
  metadata: { demo: true },
}))
