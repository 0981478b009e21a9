import type { Language } from './choose-language.ts'
import { formatNumber } from './format.ts'
import { language } from './language.svelte.ts'

/** North, south, east and west. */
const points: Readonly<Record<Language, readonly [string, string, string, string]>> = {
  de: ['N', 'S', 'O', 'W'],
  it: ['N', 'S', 'E', 'O'],
  en: ['N', 'S', 'E', 'W'],
}

/** 46.5000° N, 11.3500° E: with so many digits. */
export function formatPlace(latitude: number, longitude: number, digits = 4): string {
  const [north, south, east, west] = points[language.current]
  const shape = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const angle = (value: number) => `${formatNumber(Math.abs(value), shape)}°`
  return [
    `${angle(latitude)} ${latitude < 0 ? south : north}`,
    `${angle(longitude)} ${longitude < 0 ? west : east}`,
  ].join(', ')
}
