import { defineEntity } from '../entity.ts'
import { districtPlaces } from '../filters/lists/weather-places.ts'
import { recordSchema } from './base.ts'
import { numberIdentifier } from './members/meta.ts'
import {
  integer,
  integerOrText,
  list,
  moment,
  note,
  number,
  text,
  texts,
} from './members/values.ts'
import { sky } from './members/weather-report.ts'

const quarterOfDay = note(integerOrText, 'Sun and rain in a quarter of the day, as an index')

const days = list({
  Date: moment,
  ...sky,
  MinTemp: note(number, '°C'),
  MaxTemp: note(number, '°C'),
  Freeze: note(integer, '1 when it freezes'),
  RainFrom: note(number, 'Millimetres'),
  RainTo: note(number, 'Millimetres'),
  Part1: quarterOfDay,
  Part2: quarterOfDay,
  Part3: quarterOfDay,
  Part4: quarterOfDay,
  Thunderstorm: note(integer, '1 when there are thunderstorms'),
  SymbolId: integerOrText,
  Reliability: note(integerOrText, 'Per cent'),
})

/** The forecast for each weather district (interface 2.3). */
export const weatherDistrict = () =>
  defineEntity({
    name: 'WeatherDistrict',
    path: 'Weather/District',
    summary: 'Weather by district',
    idStyle: 'exact',
    titles: ['DistrictName'],
    isBareList: true,
    filters: [districtPlaces],
    order: [],
    schema: recordSchema('WeatherDistrict', {
      Id: numberIdentifier,
      DistrictName: text,
      Language: text,
      Date: moment,
      TourismVereinIds: note(texts, 'Tourism associations within the district'),
      BezirksForecast: note(days, 'One entry for each day'),
    }),
  })
