import { Type } from 'typebox'
import { AppError } from '../../errors/index.ts'
import { objectsOf } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import type { Ask, Parameters } from '../ask-hub.ts'
import { joined, ofStations, toParameters } from '../conditions.ts'
import { assertStations, findDataset } from '../dataset.ts'
import type { Dataset } from '../dataset.ts'
import { fit } from '../result.ts'
import type { Result } from '../result.ts'
import { countRows, moreAfter, offsetOf, stationPage, withoutStamp } from '../station-page.ts'
import type { Rows } from '../station-page.ts'
import { cursor, defineTool, filters, limit } from '../tool.ts'

const stationType = Type.String({
  ...{ minLength: 1, maxLength: 200, examples: ['ParkingStation'] },
  description: 'Station type, or the identifier of its dataset',
})

const dataTypes = Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^[^/,]+$' }), {
  ...{ minItems: 1, maxItems: 20, examples: [['free']] },
  description: 'What is measured: data types of describe_dataset',
})

const stations = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    ...{ minItems: 1, maxItems: 50 },
    description: 'Only these stations, by their code (scode)',
  }),
)

const chooseStations = {
  search: filters.search,
  match: filters.match,
  filter: filters.filter,
  stations,
  timezone: Type.Optional(
    Type.String({
      ...{ maxLength: 60, pattern: '^[A-Za-z0-9+_/:-]+$', examples: ['Europe/Rome'] },
      description: 'Time zone of times in the result; default: UTC',
    }),
  ),
}

type Chosen = {
  readonly search?: string
  readonly match?: Readonly<Record<string, string | number | boolean | null>>
  readonly filter?: string
  readonly stations?: readonly string[]
  readonly timezone?: string
}

function whereOf(
  dataset: Dataset,
  { stations: codes = [], timezone, ...given }: Chosen,
): Parameters {
  const { where, ...others } = toParameters(dataset, given)
  const named = typeof where === 'string' ? where : undefined
  return { ...others, where: joined([ofStations(codes), named]), timezone }
}

function pathTo({ list }: Dataset, types: readonly string[]): string {
  return `${list}/${types.length === 0 ? '*' : types.map(encodeURIComponent).join(',')}`
}

/** Tool that returns the latest measured values. */
export const latestValues = defineTool({
  name: 'latest_values',
  title: 'Latest values',
  description:
    'The latest measured value of each series of stations of one type, such as free parking spaces, temperatures or the state of charging points, with its time and unit. match and filter take fields of stations and of values: {"smetadata.municipality": "Meran"}, mvalue.gt.10. With order, the stations with the highest or lowest values come first. mvalidtime says how old a value is.',
  fields: {
    stationType,
    dataTypes: Type.Optional(dataTypes),
    ...chooseStations,
    order: Type.Optional(
      Type.Enum(['highest', 'lowest'], { description: 'Order by value; needs one data type' }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        ...{ maxItems: 20, examples: [['smetadata.capacity']] },
        description: 'Further fields of stations or values',
      }),
    ),
    limit,
    cursor,
  },
  run: async (given, { ask }) => {
    const { dataTypes: types = [], order, fields = [], limit: most = 10, cursor: at } = given
    const dataset = assertStations(await findDataset(ask, given.stationType))
    const path = `${pathTo(dataset, types)}/latest`
    const select = [...new Set([...valueFields, ...fields])]
    const page = { limit: most, offset: offsetOf(at) }
    const rows = { dataset, path, where: whereOf(dataset, given), select, page }
    if (order === undefined) return stationPage(ask, rows)
    if (types.length !== 1) {
      throw new AppError('HUB-QRY-001', 'order needs one data type.', {
        hint: 'Values of several cannot be compared: name one in dataTypes.',
      })
    }
    return ordered(ask, rows, order)
  },
})

const valueFields = ['scode', 'sname', 'tname', 'mperiod', 'mvalue', 'tunit', 'mvalidtime']

/** Maximum number of rows that are sorted in memory. */
const maxSorted = 2000

/**
 * Returns a page of rows sorted by value. The service sorts by time, so all rows are read and
 * sorted here, provided that they are few enough.
 */
async function ordered(ask: Ask, rows: Rows, order: 'highest' | 'lowest'): Promise<Result> {
  const { dataset, path, where, select, page } = rows
  const answer = await ask(path, { ...where, select, limit: maxSorted })
  const all = objectsOf(answer.body['data'])
  if (all.length === maxSorted) {
    throw new AppError('HUB-QRY-001', 'There are too many series to order by value.', {
      hint: 'Narrow the stations by match or filter.',
    })
  }
  const sign = order === 'highest' ? -1 : 1
  const sorted = all
    .filter(({ mvalue }) => typeof mvalue === 'number')
    .sort((one, other) => sign * (Number(one['mvalue']) - Number(other['mvalue'])))
  const items = fit(sorted.slice(page.offset, page.offset + page.limit).map(withoutStamp))
  const more = moreAfter({ page, shown: items.length, total: sorted.length })
  return { answer, facts: dataset.facts, ...more, data: { items } }
}

const time = Type.String({
  pattern: String.raw`^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?)?$`,
  examples: ['2026-11-20', '2026-11-20T08:00:00'],
  description: 'yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss, UTC without an offset',
})

/** Tool that returns measured values over a time range. */
export const timeSeries = defineTool({
  name: 'time_series',
  title: 'Time series',
  description:
    'Measured values of stations over a time range. With bucket (15m, 1h, 1d, 1w, 1mo) one value for each interval: the average, or other aggregates; bucket 1d or longer allows any range, else a caller without a token can read 5 days at once. Each series has columns and values in the order of time; to is not included. Default: the last 24 hours.',
  fields: {
    stationType,
    dataTypes,
    ...chooseStations,
    from: Type.Optional(time),
    to: Type.Optional(time),
    bucket: Type.Optional(
      Type.String({
        ...{ pattern: '^[A-Za-z0-9]{2,12}$', examples: ['1h', '1d'] },
        description: 'Length of the intervals',
      }),
    ),
    aggregates: Type.Optional(
      Type.Array(Type.Enum(['avg', 'min', 'max', 'count', 'sum', 'first', 'last']), {
        ...{ minItems: 1, maxItems: 7 },
        description: 'With bucket; default: avg',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: 500, default: 200 },
        description: 'Maximum number of values',
      }),
    ),
    cursor,
  },
  run: async (given, { ask, now }) => {
    const dataset = assertStations(await findDataset(ask, given.stationType))
    const { bucket, aggregates, limit: most = 200, cursor: at } = given
    const { from = hour(now(), -24), to = hour(now(), 0) } = given
    const range = [from, to].map(encodeURIComponent).join('/')
    const path = `${pathTo(dataset, given.dataTypes)}/${range}`
    const where = whereOf(dataset, given)
    const page = { limit: most, offset: offsetOf(at) }
    const query = { ...where, bucket, agg: aggregates, select: seriesFields, ...page }
    const { ignored, ...others } = await ask(path, query)
    const answer = { ...others, ignored: ignored?.replace(/\bagg\b/, 'aggregates') }
    const found = objectsOf(answer.body['data'])
    const shown = fit(found.map(withoutStamp)).length
    const more = { page, shown, found: found.length }
    const after = await (bucket === undefined
      ? countValues(ask, { path, where, ...more })
      : countBuckets(more))
    const series = toSeries(found.slice(0, shown))
    return { answer, facts: dataset.facts, ...after, data: { from, to, series } }
  },
})

const seriesFields = ['scode', 'sname', 'tname', 'tunit', 'mperiod', 'mvalidtime', 'mvalue']

/**
 * Returns the start of an hour, as an offset from the next full hour. The result is the same for up
 * to an hour, so that cursors remain valid.
 */
function hour(now: Date, offset: number): string {
  const oneHour = 3_600_000
  const time = (Math.floor(now.getTime() / oneHour) + 1 + offset) * oneHour
  return new Date(time).toISOString().slice(0, 19)
}

type More = { readonly page: Rows['page']; readonly shown: number; readonly found: number }
type After = Pick<Result, 'total' | 'cursor'>

async function countValues(
  ask: Ask,
  { path, where, page, shown, found }: More & Pick<Rows, 'path' | 'where'>,
): Promise<After> {
  return moreAfter({ page, shown, total: await countRows(ask, { path, where, page }, found) })
}

/**
 * Returns the total on the last page, otherwise a cursor. Buckets cannot be counted without
 * computing them, so even a full page may be the last one.
 */
function countBuckets({ page, shown, found }: More): After {
  const isLast = shown === found && found < page.limit
  return isLast ? { total: page.offset + shown } : { cursor: String(page.offset + shown) }
}

type Series = { readonly about: Members; readonly values: unknown[][] }

/**
 * Groups rows by series and states their shared fields once. The columns and the types of their
 * values are part of the key, because series of numbers, texts and JSON may be equal in everything
 * else (decision D41).
 */
export function toSeries(rows: readonly Members[]): readonly Members[] {
  const series = new Map<string, Series>()
  for (const { _timestamp: _, scode, sname, tname, tunit, mperiod, ...values } of rows) {
    const kinds = Object.entries(values).map(([column, value]) => [column, typeof value])
    const key = JSON.stringify([scode, tname, mperiod, kinds])
    const about = { scode, sname, tname, tunit, mperiod, columns: Object.keys(values) }
    const known: Series = series.get(key) ?? { about, values: [] }
    series.set(key, known)
    known.values.push(Object.values(values))
  }
  return [...series.values()].map(({ about, values }) => ({ ...about, values }))
}
