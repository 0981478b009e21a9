import { ExpressionFault } from '../faults.ts'
import { isNothing, shown, textOf } from './values.ts'

// ISO 8601 with weeks, days and times, also with a sign, as SIRI writes delays (xs:duration); PnYnM below.
const duration =
  /^(?<sign>[+-])?P(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:[.,]\d+)?)S)?)?$/

const secondsOf = { weeks: 604_800, days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const

/**
 * `$duration(value)`: seconds of an ISO 8601 duration such as `PT1H30M` or `-PT45S`; nothing for nothing and blanks.
 * @throws ExpressionFault for what is none, and for months and years, which are not always as long
 */
export function toSeconds(value: unknown): number | undefined {
  if (isNothing(value)) return undefined
  const text = textOf(value, 'duration').trim()
  if (text === '') return undefined
  const withoutNothing = text.replace(/^([+-]?P)(0+Y)?(0+M)?/, '$1')
  const parts = duration.exec(withoutNothing)?.groups
  const given = Object.entries(secondsOf).filter(([name]) => parts?.[name] !== undefined)
  if (
    parts === undefined ||
    text.endsWith('T') ||
    (given.length === 0 && withoutNothing === text)
  ) {
    throw new ExpressionFault(
      `${shown(value)} is no duration of weeks, days, hours, minutes and seconds (PT1H30M)`,
    )
  }
  const sum = given.reduce(
    (all, [name, size]) => all + Number(parts[name]?.replace(',', '.')) * size,
    0,
  )
  return parts['sign'] === '-' ? 0 - sum : sum
}
