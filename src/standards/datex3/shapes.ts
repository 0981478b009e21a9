import { createHash } from 'node:crypto'
import { fieldsOf, numberOf } from '../../lang/json.ts'
import type { CurrentStation } from '../../timeseries/index.ts'

type Place = {
  /** The declared type of the element, such as `afac:OperatingHours`. */
  readonly typeName: string
  readonly station: CurrentStation
}

/** Gives a value of the data the shape of an element; undefined where it cannot. */
type Shape = (value: unknown, place: Place) => unknown

/** What tables can name after `as`. */
export const shapes: Readonly<Record<string, Shape>> = {
  kilowatts,
  openingHours,
  isPositive: (value) => (typeof value === 'number' ? value > 0 : undefined),
}

/** Watts of kilowatts; binary fractions are not to be seen: 7.4 kW are 7400 W. */
function kilowatts(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number)
    ? Number((number * 1000).toPrecision(12))
    : undefined
}

/** When the hours began to hold is unknown, and the schema asks for it. */
const always = '1970-01-01T00:00:00Z'

/** Opening times as OCPI has them, or the text `24/7`. */
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

/** `{ weekday: 1, period_begin: "08:30", period_end: "20:00" }`; weekdays from 1 for Monday. */
function toDayPeriod(item: unknown): readonly DayPeriod[] {
  const { weekday, period_begin: begin, period_end: end } = fieldsOf(item)
  const day = days[(numberOf(weekday) ?? 0) - 1]
  const [from, to] = [begin, end].map(toTime)
  return day === undefined || from === undefined || to === undefined
    ? []
    : [{ day, hours: `${from} ${to}` }]
}

/** Times of the place, so without a zone. A day ends before the next one begins. */
function toTime(value: unknown): string | undefined {
  if (value === '24:00') return '23:59:59'
  return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
    ? `${value}:00`
    : undefined
}

/**
 * A version that changes when what it is made from does, and only then: the same on every node, whatever was
 * published before.
 */
export function toVersion(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
}

/** Of what is said about stations, whatever their values are. */
export function versionOf(...stations: readonly CurrentStation[]): string {
  return toVersion(stations.map(({ values: _values, described: _when, ...what }) => what))
}
