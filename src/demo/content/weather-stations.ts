import type { ContentItem } from '../canonical.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { dateTimeOf, day, drawFor, idOf, isoOf, lastMidnight, minute } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { snowStationName } from '../texts/landscapes.ts'
import { fill, perLanguage, placeTexts } from '../texts/phrase.ts'
import { areaId, areaNearby } from './areas.ts'
import type { Collection } from './collection.ts'
import { baseOf, gpsOf } from './record.ts'
import { skiAreaCount, skiAreaId, skiMunicipalities } from './ski-territory.ts'
import { meanTemperature, weatherLicence } from './skies.ts'
import { locationOf } from './territory.ts'

const realtimeCount = 45
const measuringpointCount = 40
const directions = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const

/** Weather stations and what they measure when the history ends. */
export function weatherRealtimes(setting: Setting): Collection {
  return {
    entity: 'WeatherRealtime',
    count: realtimeCount,
    item: (index) => toRealtime(setting, index),
  }
}

/** Snow stations of the ski areas. */
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

/** Values are text; a station in eight does not measure a thing and says `--`. */
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
  const name = fill(snowStationName, { place: placeTexts(municipality.place), number: index + 1 })
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
