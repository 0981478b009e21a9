import { defineEntity } from '../entity.ts'
import { forecastPlaces } from '../filters/lists/weather-places.ts'
import { recordSchema } from './base.ts'
import { positions } from './members/gps.ts'
import { location } from './members/location.ts'
import { list, moment, note, number, perLanguage, text } from './members/values.ts'
import { sky } from './members/weather-report.ts'

const precipitation = {
  PrecipitationProbability: note(number, 'Per cent'),
  Precipitation: note(number, 'Millimetres'),
  WeatherDescription: perLanguage(text),
  ...sky,
}

const daily = list({
  Date: moment,
  MinTemp: note(number, '°C'),
  MaxTemp: note(number, '°C'),
  SunshineDuration: note(number, 'Hours'),
  ...precipitation,
})

const threeHourly = list({
  Date: moment,
  Temperature: note(number, '°C'),
  WindDirection: note(number, 'Degrees from north'),
  WindSpeed: note(number, 'Kilometres per hour'),
  ...precipitation,
})

/** The forecast for each municipality (interface 2.3). */
export const weatherForecast = () =>
  defineEntity({
    name: 'WeatherForecast',
    path: 'Weather/Forecast',
    summary: 'Weather forecast by municipality',
    idStyle: 'exact',
    titles: ['MunicipalityName.*'],
    isBareList: true,
    filters: [forecastPlaces],
    schema: recordSchema('WeatherForecast', {
      Date: moment,
      Language: text,
      MunicipalityIstatCode: note(text, 'Number at the statistical office'),
      MunicipalityName: perLanguage(text),
      ForeCastDaily: daily,
      Forecast3HoursInterval: threeHourly,
      GpsInfo: positions,
      LocationInfo: location,
    }),
  })
