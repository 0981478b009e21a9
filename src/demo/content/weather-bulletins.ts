import type { ContentItem } from '../canonical.ts'
import { dateTimeOf, day, drawFor, hour, lastMidnight } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { evolutions, evolutionTitles } from '../texts/skies.ts'
import type { Collection } from './collection.ts'
import { meanTemperature, skyOf, weatherLicence } from './skies.ts'

const bulletinCount = 3
const towns = ['Schlanders', 'Meran', 'Bozen', 'Sterzing', 'Brixen', 'Bruneck'] as const

/** The bulletins of the last days; the newest has the highest number. */
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
    EvolutionTitle: random.pick(evolutionTitles),
    Evolution: random.pick(evolutions),
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
