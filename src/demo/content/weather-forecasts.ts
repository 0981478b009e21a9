import type { ContentItem } from '../canonical.ts'
import { regionKeys, regionNames } from '../geography/places.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { dateTimeOf, day, drawFor, hour, lastMidnight } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { fill, placeTexts } from '../texts/phrase.ts'
import type { Collection } from './collection.ts'
import { gpsOf } from './record.ts'
import { istatNumber } from './regions.ts'
import { meanTemperature, skyOf, weatherLicence } from './skies.ts'
import { associationId, associationsOf, locationOf } from './territory.ts'

const daysAhead = 5
const stepsAhead = 24
/** The weather service numbers its districts from 1 to 7. */
const districtCount = 7

/** The forecast for each municipality, told on the morning of the last day. */
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
