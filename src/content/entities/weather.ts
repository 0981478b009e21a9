import { defineEntity } from '../entity.ts'
import {
  districtPlaces,
  forecastPlaces,
  measuringpointColumns,
  measuringpointFilters,
  weatherColumns,
  weatherFilters,
} from '../filters/lists/further.ts'
import type { Naming } from '../naming.ts'
import { labelled, part, refersTo, withRole } from '../presentation.ts'
import { recordSchema, tourismSchema } from './base.ts'
import { links, numberIdentifier, shortDetail } from './members/parts.ts'
import { distances, location, placeIds, positions, positionsByType } from './members/positions.ts'
import {
  anything,
  begin,
  integer,
  integerOrText,
  list,
  moment,
  name,
  note,
  number,
  perLanguage,
  text,
  texts,
} from './members/values.ts'

const sky = {
  WeatherCode: note(text, 'Letter of the icon, starting with a (cloudless)'),
  WeatherDesc: text,
  WeatherImgUrl: text,
}

const skyOfOld = {
  Weathercode: text,
  Weatherdesc: text,
  WeatherImgurl: text,
  date: moment,
}

/** Ranges of the lowest and of the highest temperatures in the region. */
const temperatureSpans = {
  TempMinmin: note(integer, '°C'),
  TempMinmax: note(integer, '°C'),
  TempMaxmin: note(integer, '°C'),
  TempMaxmax: note(integer, '°C'),
}

const reliability = note(integerOrText, 'Per cent')

/** Weather of today and tomorrow, in words. */
const today = list({
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

const daysAhead = list({
  Date: moment,
  ...sky,
  ...temperatureSpans,
  Reliability: reliability,
  ...skyOfOld,
})

/** Weather in the mountains: by altitude, and north and south of the main ridge. */
const mountain = list({
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

/** Weather in towns, one entry for each. */
const stationReports = list({
  Id: integerOrText,
  Date: moment,
  CityName: text,
  ...sky,
  MinTemp: note(integer, '°C'),
  MaxTemp: note(integer, '°C'),
})

/**
 * Defines the entity for weather bulletins: one record for each issue (reference content.md 7.12).
 */
export const weather = () =>
  defineEntity({
    name: 'Weather',
    summary: 'Weather bulletins',
    idStyle: 'exact',
    titles: ['EvolutionTitle', 'evolutiontitle'],
    columns: weatherColumns,
    filters: weatherFilters,
    isBareList: true,
    order: [],
    schema: recordSchema('Weather', {
      Id: withRole(numberIdentifier, 'id'),
      Date: note(begin, 'When the bulletin was issued'),
      Language: part(text, 'language'),
      EvolutionTitle: labelled(
        text,
        ['Aussichten in Kürze', 'Previsione in breve', 'Outlook, in short'],
        'text',
      ),
      Evolution: labelled(
        note(text, 'How the weather develops'),
        ['Aussichten', 'Previsione', 'Outlook'],
        'text',
      ),
      Conditions: today,
      Forecast: daysAhead,
      Mountain: mountain,
      Stationdata: stationReports,
      date: moment,
      language: text,
      evolutiontitle: text,
      evolution: text,
    }),
  })

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

/** Defines the entity for forecasts by weather district (interface 2.3). */
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
      Id: withRole(numberIdentifier, 'id'),
      DistrictName: name,
      Language: part(text, 'language'),
      Date: begin,
      TourismVereinIds: refersTo(
        note(texts, 'Tourism associations within the district'),
        'TourismAssociation',
      ),
      BezirksForecast: note(days, 'One entry for each day'),
    }),
  })

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

/** Defines the entity for forecasts by municipality (interface 2.3). */
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
      Date: begin,
      Language: part(text, 'language'),
      MunicipalityIstatCode: note(text, 'Number at the statistical office'),
      MunicipalityName: perLanguage(name),
      ForeCastDaily: daily,
      Forecast3HoursInterval: threeHourly,
      GpsInfo: positions,
      LocationInfo: location,
    }),
  })

/** Measured values. They are texts; `--` if the station does not measure them. */
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

/** Defines the entity for the current measurements of weather stations (interface 2.3). */
export const weatherRealtime = () =>
  defineEntity({
    name: 'WeatherRealtime',
    path: 'Weather/Realtime',
    summary: 'Weather stations with their current measurements',
    idStyle: 'exact',
    titles: ['name'],
    isBareList: true,
    order: [],
    schema: recordSchema('WeatherRealtime', {
      id: withRole(text, 'id'),
      code: text,
      name,
      latitude: part(note(number, 'WGS 84, degrees'), 'latitude'),
      longitude: part(note(number, 'WGS 84, degrees'), 'longitude'),
      altitude: part(note(number, 'Metres above sea level'), 'altitude'),
      categoryId: integerOrText,
      lastUpdated: text,
      lwdType: text,
      vaxcode: text,
      zoomLevel: anything,
      ...measured,
      measurements: list({ code: text, description: text, imageUrl: text }),
    }),
  })

const observations = list({
  Id: text,
  Date: moment,
  WeatherStatus: perLanguage(text),
  WeatherCode: text,
  IconID: integerOrText,
})

/** Defines the entity for snow and weather stations of ski areas (decision D37). */
export const measuringpoint = (naming: Naming) =>
  defineEntity({
    name: 'Measuringpoint',
    path: 'Weather/Measuringpoint',
    summary: 'Snow and weather stations of ski areas',
    idStyle: 'upper',
    titles: ['Shortname'],
    columns: measuringpointColumns,
    filters: measuringpointFilters,
    isBareList: true,
    schema: tourismSchema(naming, 'Measuringpoint', {
      Detail: shortDetail,
      LastUpdate: note(moment, 'When it was measured'),
      SnowHeight: note(text, 'Centimetres'),
      newSnowHeight: note(text, 'Centimetres of new snow'),
      Temperature: note(text, '°C'),
      LastSnowDate: moment,
      WeatherObservation: observations,
      AreaIds: placeIds.areas,
      SkiAreaIds: placeIds.skiAreas,
      Areas: links,
      SkiAreas: links,
      GpsInfo: positions,
      LocationInfo: location,
      DistanceInfo: distances,
      GpsPoints: positionsByType,
    }),
  })
