import {
  collator,
  dateTimeFormat,
  localeOf,
  numberFormat,
  pluralIn,
  relativeTimeFormat,
} from './intl.ts'
import type { Forms } from './intl.ts'
import { language, pick } from './language.svelte.ts'
import type { Text } from './language.svelte.ts'
import { zone } from './zone.svelte.ts'
import type { Language } from './choose-language.ts'

const locale = () => localeOf[language.current]

/** Formats a number: 12,345. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return numberFormat(locale(), options).format(value)
}

/** Returns “3 records” for `plural(3, { one: '# record', other: '# records' })`. */
export function plural(value: number, forms: Forms): string {
  return pluralIn(language.current, value, forms)
}

/**
 * Builds a message with a count from a singular and, if it differs, a plural in each language:
 * `counted(['# Ort', '# luogo', '# place'], ['# Orte', '# luoghi', '# places'])`.
 */
export function counted(one: Text, other = one): (count: number) => string {
  return (count) => plural(count, { one: pick(one), other: pick(other) })
}

/** Builds a message that contains a name: `naming(['# zeigen', 'Mostra #', 'Show #'])`. */
export function naming(text: Text): (name: string) => string {
  return (name) => pick(text).replaceAll('#', () => name)
}

/** Formats a measured number, with enough digits that small values do not become 0. */
export function formatMeasured(value: number): string {
  const size = Math.abs(value)
  if (size < 1) return formatNumber(value, { maximumSignificantDigits: 4 })
  return formatNumber(value, { maximumFractionDigits: size >= 100 ? 1 : 2 })
}

/** Formats a fraction as a percentage: 12%. */
export function formatShare(value: number): string {
  return formatNumber(value, { style: 'percent', maximumFractionDigits: 1 })
}

export type LengthUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

/** Formats a duration: 5 minutes. */
export function formatLength(count: number, unit: LengthUnit): string {
  return formatNumber(count, { style: 'unit', unit, unitDisplay: 'long' })
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Formats a size: 1.5 MB. Units are decimal, like those of browsers and disks. */
export function formatBytes(bytes: number): string {
  const step = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)),
  )
  const unit = units[step] ?? 'byte'
  const options = { style: 'unit', unit, unitDisplay: step === 0 ? 'long' : 'short' } as const
  return formatNumber(bytes / 1000 ** step, {
    ...options,
    maximumFractionDigits: step === 0 ? 0 : 1,
  })
}

/** Formats a time: 22 Nov 2026, 09:41. The time zone is the page's, unless `options` names one. */
export function formatDateTime(date: Date, options: Intl.DateTimeFormatOptions = {}): string {
  const shape = { dateStyle: 'medium', timeStyle: 'short', timeZone: zone.current } as const
  return dateTimeFormat(locale(), { ...shape, ...options }).format(date)
}

/** Formats a date: 22 November 2026. */
export function formatDate(
  date: Date,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'long' },
): string {
  return dateTimeFormat(locale(), { timeZone: zone.current, ...options }).format(date)
}

/** Formats a calendar day such as `2026-11-22`, independent of the time zone: 22 Nov 2026. */
export function formatDay(written: string): string {
  const day = new Date(`${written.slice(0, 10)}T00:00Z`)
  return formatDate(day, { dateStyle: 'medium', timeZone: 'UTC' })
}

/** Formats a range: 3 June 2027, 10:00–12:00. Parts that both ends share appear once. */
export function formatDateRange(
  from: Date,
  to: Date,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'long' },
): string {
  return dateTimeFormat(locale(), { timeZone: zone.current, ...options }).formatRange(from, to)
}

const steps = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Formats a time relative to `now`: “3 hours ago”, “in 2 days”, “now”. */
export function formatRelative(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000
  const format = relativeTimeFormat(locale(), { numeric: 'auto' })
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit)
  }
  return format.format(0, 'second')
}

/** Formats a list: a, b and c. */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(items)
}

/** Compares texts by the rules of the page's language. */
export function compareTexts(a: string, b: string): number {
  return collator(locale(), { numeric: true, sensitivity: 'base' }).compare(a, b)
}

/** Abbreviations of north, south, east and west. */
const points: Readonly<Record<Language, readonly [string, string, string, string]>> = {
  de: ['N', 'S', 'O', 'W'],
  it: ['N', 'S', 'E', 'O'],
  en: ['N', 'S', 'E', 'W'],
}

/** Formats a position with the given number of decimals: 46.5000° N, 11.3500° E. */
export function formatPlace(latitude: number, longitude: number, digits = 4): string {
  const [north, south, east, west] = points[language.current]
  const shape = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const angle = (value: number) => `${formatNumber(Math.abs(value), shape)}°`
  return [
    `${angle(latitude)} ${latitude < 0 ? south : north}`,
    `${angle(longitude)} ${longitude < 0 ? west : east}`,
  ].join(', ')
}
