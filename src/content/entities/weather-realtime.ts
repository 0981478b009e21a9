import { defineEntity } from '../entity.ts'
import { recordSchema } from './base.ts'
import { anything, integerOrText, list, note, number, text } from './members/values.ts'

/** Measured values are text, and `--` where the station does not measure them. */
const measured = {
  t: note(text, 'Air temperature, °C'),
  rh: note(text, 'Relative humidity, per cent'),
  p: note(text, 'Air pressure, hPa'),
  n: note(text, 'Precipitation since midnight, mm'),
  hs: note(text, 'Snow height, cm'),
  ff: note(text, 'Wind speed, km/h'),
  dd: note(text, 'Wind direction'),
  wMax: note(text, 'Gust, km/h'),
  gs: note(text, 'Global radiation'),
  sd: note(text, 'Sunshine, hours'),
  q: note(text, 'Flow of the river, m³/s'),
  w: note(text, 'Water level, cm'),
  wt: note(text, 'Water temperature, °C'),
  visibility: text,
}

/** What the weather stations measure now (interface 2.3). */
export const weatherRealtime = () =>
  defineEntity({
    name: 'WeatherRealtime',
    path: 'Weather/Realtime',
    summary: 'Weather stations and what they measure now',
    idStyle: 'exact',
    titles: ['name'],
    isBareList: true,
    order: [],
    schema: recordSchema('WeatherRealtime', {
      id: text,
      code: text,
      name: text,
      latitude: note(number, 'WGS 84, degrees'),
      longitude: note(number, 'WGS 84, degrees'),
      altitude: note(number, 'Metres above sea level'),
      categoryId: integerOrText,
      lastUpdated: text,
      lwdType: text,
      vaxcode: text,
      zoomLevel: anything,
      ...measured,
      measurements: list({ code: text, description: text, imageUrl: text }),
    }),
  })
