import { integer, integerOrText, list, moment, note, text, texts } from './values.ts'

/** What the sky looks like. */
export const sky = {
  WeatherCode: note(text, 'Letter of the picture, from a (cloudless) on'),
  WeatherDesc: text,
  WeatherImgUrl: text,
}

const skyOfOld = {
  Weathercode: text,
  Weatherdesc: text,
  WeatherImgurl: text,
  date: moment,
}

/** The span of the lowest and of the highest temperatures in the region. */
const temperatureSpans = {
  TempMinmin: note(integer, '°C'),
  TempMinmax: note(integer, '°C'),
  TempMaxmin: note(integer, '°C'),
  TempMaxmax: note(integer, '°C'),
}

const reliability = note(integerOrText, 'Per cent')

/** Today and tomorrow in words. */
export const today = list({
  Date: moment,
  Title: text,
  WeatherCondition: text,
  Temperatures: text,
  ...sky,
  ...temperatureSpans,
  Reliability: reliability,
  BulletinStatus: integer,
  bulletinStatus: integer,
  ...skyOfOld,
})

/** The days after. */
export const daysAhead = list({
  Date: moment,
  ...sky,
  ...temperatureSpans,
  Reliability: reliability,
  ...skyOfOld,
})

/** The weather in the mountains: by height, and north and south of the main ridge. */
export const mountain = list({
  Date: moment,
  Title: text,
  WeatherDesc: text,
  Conditions: text,
  Zerolimit: note(integerOrText, 'Height of the freezing level, metres'),
  Snowlimit: note(texts, 'Height of the snow line, metres'),
  Reliability: reliability,
  Sunrise: text,
  Sunset: text,
  Moonrise: text,
  Moonset: text,
  MountainImgUrl: text,
  Temp1000: note(integer, '°C at 1000 m'),
  Temp2000: note(integer, '°C at 2000 m'),
  Temp3000: note(integer, '°C at 3000 m'),
  Temp4000: note(integer, '°C at 4000 m'),
  NorthCode: text,
  NorthDesc: text,
  NorthImgUrl: text,
  SouthCode: text,
  SouthDesc: text,
  SouthImgUrl: text,
  WindCode: text,
  WindDesc: text,
  WindImgUrl: text,
})

/** One town each. */
export const stationReports = list({
  Id: integerOrText,
  Date: moment,
  CityName: text,
  ...sky,
  MinTemp: note(integer, '°C'),
  MaxTemp: note(integer, '°C'),
})
