import type { ContentItem } from '../canonical.ts'
import { regionKeys, regionNames } from '../geography/places.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { dateTimeOf, day, drawFor, hour, idOf, isoOf, lastMidnight, minute } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { fill, perLanguage, placeTexts } from '../phrase.ts'
import type { Collection } from './record.ts'
import { baseOf, gpsOf, imageUrl } from './record.ts'
import { areaId, areaNearby, istatNumber } from './regions.ts'
import {
  associationId,
  associationsOf,
  locationOf,
  skiAreaCount,
  skiAreaId,
  skiMunicipalities,
} from './territory.ts'
import { demoTexts } from '../texts.ts'

/** What weather forecasts and reports have in common. */

const weatherLicence = {
  License: 'CC0',
  LicenseHolder: 'https://meteo.example',
  Author: '',
  ClosedData: false,
} as const

function skyOf(setting: Setting, random: Random) {
  const [code, de, it, en] = random.pick(demoTexts.skies.skies)
  return {
    WeatherCode: code,
    WeatherDesc: en,
    WeatherDescription: { de, it, en },
    WeatherImgUrl: imageUrl(setting, `sky-${code}`),
  }
}

/**
 * Returns the mean temperature in °C at an altitude for the season. It is lowest in mid-January.
 */
function meanTemperature({ until }: Setting, altitude: number): number {
  const yearly = Math.cos(((until / day - 15) / 365.25) * 2 * Math.PI)
  return Math.round(12 - 11 * yearly - (altitude - 250) * 0.0062)
}

const realtimeCount = 45
const measuringpointCount = 40
const directions = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const

/** Returns weather stations and their measurements at the end of the history. */
export function weatherRealtimes(setting: Setting): Collection {
  return {
    entity: 'WeatherRealtime',
    count: realtimeCount,
    item: (index) => toRealtime(setting, index),
  }
}

/** Returns the snow stations of the ski areas. */
export function measuringpoints(setting: Setting): Collection {
  return {
    entity: 'Measuringpoint',
    count: measuringpointCount,
    item: (index) => toMeasuringpoint(setting, index),
  }
}

function toRealtime(setting: Setting, index: number): ContentItem {
  const { municipalities } = setting.geography
  const municipality = at(municipalities, (index * 2) % municipalities.length)
  const random = drawFor(setting, 'weather-realtime', index)
  const site = municipality.siteIn(random, index % 3 === 0 ? 'mountain' : 'village')
  const id = `${10_000 + index}MS`
  const name = municipality.place.de
  return {
    Id: id,
    ...{ id, code: id, name, Shortname: name, categoryId: 1, measurements: [] },
    ...{ latitude: site.latitude, longitude: site.longitude, altitude: site.altitude },
    Source: 'meteo',
    LicenseInfo: weatherLicence,
    lastUpdated: dateTimeOf(setting.until - 10 * minute),
    ...measuredBy(random, meanTemperature(setting, site.altitude), site.altitude),
  }
}

/** Returns values as texts. One value in eight is not measured and is written `--`. */
function measuredBy(random: Random, mean: number, altitude: number) {
  const value = (low: number, high: number, decimals = 0) => {
    const drawn = random.between(low * 10 ** decimals, high * 10 ** decimals) / 10 ** decimals
    return random.chance(0.12) ? '--' : String(drawn)
  }
  return {
    t: value(mean - 3, mean + 3, 1),
    rh: value(30, 98),
    p: value(990, 1032),
    n: value(0, 8, 1),
    hs: altitude > 1500 ? value(0, 120) : '--',
    ff: value(0, 24, 1),
    dd: random.pick(directions),
    wMax: value(2, 60, 1),
    gs: value(0, 800),
  }
}

function toMeasuringpoint(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'measuringpoint', index)
  const skiArea = index % skiAreaCount
  const municipality = at(skiMunicipalities(setting), skiArea)
  const id = idOf(setting, 'Measuringpoint', index)
  const name = fill(demoTexts.landscapes.snowStationName, {
    place: placeTexts(municipality.place),
    number: index + 1,
  })
  const site = municipality.siteIn(random, 'mountain')
  return {
    ...baseOf(setting, { id, source: 'lifts', name, random }),
    Detail: perLanguage(name, (language, title) => ({ Language: language, Title: title })),
    LastUpdate: isoOf(setting.until - random.between(10, 600) * minute),
    SnowHeight: String(random.between(0, 140)),
    newSnowHeight: String(random.between(0, 25)),
    Temperature: String(meanTemperature(setting, site.altitude)),
    LastSnowDate: isoOf(lastMidnight(setting) - random.between(0, 20) * day),
    WeatherObservation: [],
    AreaIds: [areaId(setting, areaNearby(municipality.index))],
    SkiAreaIds: [skiAreaId(setting, skiArea)],
    GpsInfo: gpsOf(site),
    LocationInfo: locationOf(setting, municipality, 0),
  }
}

const bulletinCount = 3
const towns = ['Schlanders', 'Meran', 'Bozen', 'Sterzing', 'Brixen', 'Bruneck'] as const

/** Returns the bulletins of the last days. The newest has the highest number. */
export function weatherBulletins(setting: Setting): Collection {
  const item = (index: number) =>
    toBulletin(setting, lastMidnight(setting) - (bulletinCount - 1 - index) * day + 10 * hour)
  return { entity: 'Weather', count: bulletinCount, item }
}

function toBulletin(setting: Setting, issued: number): ContentItem {
  const random = drawFor(setting, 'bulletin', issued)
  const mean = meanTemperature(setting, 260)
  const lows = { TempMinmin: mean - 8, TempMinmax: mean - 1 }
  const highs = { TempMaxmin: mean + 3, TempMaxmax: mean + 9 }
  const report = (ahead: number) => ({
    Date: dateTimeOf(issued + ahead * day),
    Reliability: 90 - ahead * 10,
    ...lows,
    ...highs,
    ...skyOf(setting, random),
  })
  return {
    Id: String(Math.floor(issued / day)),
    Date: dateTimeOf(issued),
    Language: 'en',
    Source: 'meteo',
    LicenseInfo: weatherLicence,
    EvolutionTitle: random.pick(demoTexts.skies.evolutionTitles),
    Evolution: random.pick(demoTexts.skies.evolutions),
    Conditions: [{ Title: 'Today', ...report(0) }],
    Forecast: [1, 2, 3, 4].map(report),
    Mountain: [
      {
        ...{ Date: dateTimeOf(issued), Title: 'In the mountains', Reliability: 90 },
        ...{ Zerolimit: 1200 + mean * 100, Snowlimit: ['1400'] },
        ...{ Temp1000: mean - 3, Temp2000: mean - 9, Temp3000: mean - 15, Temp4000: mean - 21 },
        ...{ Sunrise: '07:20', Sunset: '16:35' },
      },
    ],
    Stationdata: towns.map((town, index) => ({
      ...{ Date: dateTimeOf(issued), Id: index + 1, CityName: town },
      ...{ MinTemp: mean - random.between(3, 8), MaxTemp: mean + random.between(3, 8) },
      ...skyOf(setting, random),
    })),
  }
}

const daysAhead = 5
const stepsAhead = 24
/** The weather service numbers its districts from 1 to 7. */
const districtCount = 7

/** Returns the forecast for each municipality, issued on the morning of the last day. */
export function weatherForecasts(setting: Setting): Collection {
  const count = setting.geography.municipalities.length
  return { entity: 'WeatherForecast', count, item: (index) => toForecast(setting, index) }
}

export function weatherDistricts(setting: Setting): Collection {
  return {
    entity: 'WeatherDistrict',
    count: districtCount,
    item: (index) => toDistrict(setting, index),
  }
}

function toForecast(setting: Setting, index: number): ContentItem {
  const municipality = at(setting.geography.municipalities, index)
  const random = drawFor(setting, 'forecast', index)
  const mean = meanTemperature(setting, municipality.place.altitude)
  const { de, it } = municipality.place
  const count = (length: number) => Array.from({ length }, (_, step) => step)
  return {
    Id: `forecast_${istatNumber(index)}`,
    Shortname: de,
    Source: 'meteo',
    LicenseInfo: weatherLicence,
    Date: dateTimeOf(lastMidnight(setting) + 5 * hour),
    MunicipalityIstatCode: istatNumber(index),
    MunicipalityName: fill({ de, it, en: '{place}' }, { place: placeTexts(municipality.place) }),
    GpsInfo: gpsOf(municipality.centre),
    LocationInfo: { MunicipalityInfo: locationOf(setting, municipality, 0).MunicipalityInfo },
    ForeCastDaily: count(daysAhead).map((ahead) => ({
      ...dayOf(setting, random, { mean, ahead }),
      SunshineDuration: random.between(0, 9),
      PrecipitationProbability: random.between(0, 90),
      Precipitation: random.between(0, 12),
    })),
    Forecast3HoursInterval: count(stepsAhead).map((step) => ({
      Date: dateTimeOf(lastMidnight(setting) + step * 3 * hour),
      Temperature: mean + Math.round(5 * Math.sin(((step * 3 - 9) / 12) * Math.PI)),
      PrecipitationProbability: random.between(0, 90),
      Precipitation: random.chance(0.3) ? random.between(0, 40) / 10 : 0,
      WindDirection: random.between(0, 7) * 45,
      WindSpeed: random.between(0, 35),
      ...skyOf(setting, random),
    })),
  }
}

type Day = { readonly mean: number; readonly ahead: number }

function dayOf(setting: Setting, random: Random, { mean, ahead }: Day) {
  const warmth = mean + random.between(-2, 2)
  return {
    Date: dateTimeOf(lastMidnight(setting) + ahead * day),
    MinTemp: warmth - random.between(3, 6),
    MaxTemp: warmth + random.between(4, 8),
    ...skyOf(setting, random),
  }
}

function toDistrict(setting: Setting, index: number): ContentItem {
  const region = at(regionKeys, index)
  const random = drawFor(setting, 'weather-district', region)
  const mean = meanTemperature(setting, 700)
  return {
    Id: String(index + 1),
    Shortname: regionNames[region].de,
    DistrictName: regionNames[region].en,
    Language: 'en',
    Source: 'meteo',
    LicenseInfo: weatherLicence,
    Date: dateTimeOf(lastMidnight(setting) + 10 * hour),
    TourismVereinIds: associationsOf(setting)
      .filter((association) => association.region === region)
      .map(({ key }) => associationId(setting, key)),
    BezirksForecast: Array.from({ length: daysAhead }, (_, ahead) => ({
      ...dayOf(setting, random, { mean, ahead }),
      Freeze: mean < 2 ? 1 : 0,
      ...{ RainFrom: 0, RainTo: random.between(0, 12) },
      ...{ Part1: random.between(0, 3), Part2: random.between(0, 3) },
      ...{ Part3: random.between(0, 3), Part4: random.between(0, 3) },
      Thunderstorm: random.chance(0.1) ? 1 : 0,
      SymbolId: random.between(1, 12),
      Reliability: 95 - ahead * 12,
    })),
  }
}
