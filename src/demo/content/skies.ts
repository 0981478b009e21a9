import type { Random } from '../random.ts'
import { day } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { skies } from '../texts/skies.ts'
import { imageUrl } from './record.ts'

/** What forecasts and reports of the weather have in common. */

export const weatherLicence = {
  License: 'CC0',
  LicenseHolder: 'https://meteo.example',
  Author: '',
  ClosedData: false,
} as const

/** What the sky looks like, with the address of its picture. */
export function skyOf(setting: Setting, random: Random) {
  const [code, de, it, en] = random.pick(skies)
  return {
    WeatherCode: code,
    WeatherDesc: en,
    WeatherDescription: { de, it, en },
    WeatherImgUrl: imageUrl(setting, `sky-${code}`),
  }
}

/** Mean temperature in °C at a height, by the time of the year: coldest in mid-January. */
export function meanTemperature({ until }: Setting, altitude: number): number {
  const yearly = Math.cos(((until / day - 15) / 365.25) * 2 * Math.PI)
  return Math.round(12 - 11 * yearly - (altitude - 250) * 0.0062)
}
