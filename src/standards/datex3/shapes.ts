import { createHash } from 'node:crypto'
import { fieldsOf, numberOf } from '../../lang/json.ts'
import type { CurrentStation } from '../../timeseries/index.ts'

type Place = {
  /** The declared type of the element, such as `afac:OperatingHours`. */
  readonly typeName: string
  readonly station: CurrentStation
}

/** Converts a value of the data to the value of an element; undefined if that is impossible. */
type Shape = (value: unknown, place: Place) => unknown

/** Shapes that tables can name after `as`. */
export const shapes: Readonly<Record<string, Shape>> = {
  kilowatts,
  openingHours,
  isPositive: (value) => (typeof value === 'number' ? value > 0 : undefined),
}

/** Converts kilowatts to watts without errors of binary fractions: 7.4 kW are 7400 W. */
function kilowatts(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number)
    ? Number((number * 1000).toPrecision(12))
    : undefined
}

/** Start of all opening hours. The real one is unknown, but the schema requires one. */
const always = '1970-01-01T00:00:00Z'

/** Converts opening times as OCPI defines them, or the text `24/7`. */
function openingHours(value: unknown, { typeName, station }: Place): unknown {
  const prefix = typeName.slice(0, typeName.indexOf(':') + 1)
  const { twentyfourseven, regular_hours: hours } = fieldsOf(value)
  if (twentyfourseven === true || value === '24/7') return { 'xsi:type': `${prefix}OpenAllHours` }
  const periods = (Array.isArray(hours) ? hours : []).flatMap(toDayPeriod)
  if (periods.length === 0) return undefined
  const byHours = Map.groupBy(periods, ({ hours: of }) => of)
  return {
    'xsi:type': `${prefix}OperatingHoursSpecification`,
    id: `${station.code}-hours`,
    version: toVersion([value]),
    overallPeriod: {
      overallStartTime: always,
      validPeriod: [...byHours].map(([text, days]) => {
        const [startTimeOfPeriod, endTimeOfPeriod] = text.split(' ')
        return {
          recurringTimePeriodOfDay: [{ startTimeOfPeriod, endTimeOfPeriod }],
          recurringDayWeekMonthPeriod: [{ applicableDay: days.map(({ day }) => day) }],
        }
      }),
    },
  }
}

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

type DayPeriod = { readonly day: string; readonly hours: string }

/**
 * Parses `{ weekday: 1, period_begin: "08:30", period_end: "20:00" }`. Weekdays count from 1 for
 * Monday.
 */
function toDayPeriod(item: unknown): readonly DayPeriod[] {
  const { weekday, period_begin: begin, period_end: end } = fieldsOf(item)
  const day = days[(numberOf(weekday) ?? 0) - 1]
  const [from, to] = [begin, end].map(toTime)
  return day === undefined || from === undefined || to === undefined
    ? []
    : [{ day, hours: `${from} ${to}` }]
}

/**
 * Parses a local time, which therefore has no zone. 24:00 becomes the last second of the day,
 * because a day ends before the next one begins.
 */
function toTime(value: unknown): string | undefined {
  if (value === '24:00') return '23:59:59'
  return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
    ? `${value}:00`
    : undefined
}

/**
 * Returns a version that changes if and only if its parts change. It is the same on every node,
 * whatever was published before.
 */
export function toVersion(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
}

/** Returns the version of the descriptions of stations, regardless of their values. */
export function versionOf(...stations: readonly CurrentStation[]): string {
  return toVersion(stations.map(({ values: _values, described: _when, ...what }) => what))
}
