import { AppError } from '../errors/index.ts'
import type { OrderKey } from '../content/index.ts'
import { LanguageError, hintAt } from '../lang/index.ts'
import { withPlus } from '../lang/zone.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Collection, Kind, Queryable, Reader, View } from './collection.ts'
import { compile, drawnBox } from './cql2/compile.ts'
import { boxOf, momentOf } from './cql2/limits.ts'
import { readJson } from './cql2/read-json.ts'
import { readText } from './cql2/read-text.ts'
import type { ItemsPlan } from './load-items.ts'
import { filterable, itemSchema, itemsSchema, readStrictly, rejected } from './parameters.ts'
import type { ItemsQuery } from './parameters.ts'
import { crs84, referenceSystems, systemNamed } from './reference-systems.ts'
import type { ReferenceSystem } from './reference-systems.ts'

/** A condition, with the parameter and the text that specify it. */
type Chosen = { readonly parameter: string; readonly text: string; readonly condition: Sql }

/**
 * Plans the query for the features of a collection.
 * @throws AppError HUB-QRY-001 and 017 for invalid parameters. An invalid cursor (HUB-QRY-012) is
 * found when the page is loaded.
 */
export function planItems(collection: Collection, reader: Reader, raw: unknown): ItemsPlan {
  const values = readStrictly(itemsSchema(collection), raw)
  const query = toQuery(values)
  const view = viewOf(collection, reader, query)
  const chosen = [
    ...boxFilter(collection, query),
    ...timeFilter(view, query),
    ...expressionFilter(view, query),
    ...propertyFilters(collection, view, values),
  ]
  const bound = [
    { parameter: 'collection', text: collection.id },
    ...systems.map((name) => ({ parameter: name, text: query[name] ?? '' })),
  ]
  return {
    collection,
    view,
    conditions: chosen.map(({ condition }) => condition),
    filters: [...bound, ...chosen.map(({ parameter, text }) => ({ parameter, text }))],
    keys: orderOf(collection, view, query.sortby ?? []),
    limit: query.limit,
    cursor: query.cursor,
    system: systemOf('crs', query.crs),
    isHeavy: isHeavy(query),
  }
}

/** Parameters on which the meaning of a filter depends, besides its text. */
const systems = ['bbox-crs', 'filter-crs', 'filter-lang'] as const

/** Maximum length of an ordinary filter, in characters. */
const usual = 500

/**
 * Reports whether a request may keep the database busy for seconds: with operations on all features
 * that no index supports.
 */
function isHeavy({ filter = '', sortby }: ItemsQuery): boolean {
  const isLong = filter.length > usual
  return isLong || sortby !== undefined || /like|casei|accenti|s_(?!intersects)/i.test(filter)
}

/**
 * Plans the query for one feature.
 * @throws AppError HUB-QRY-001
 */
export function planItem(collection: Collection, reader: Reader, raw: unknown): ItemsPlan {
  const query = toQuery(readStrictly(itemSchema, raw))
  const view = viewOf(collection, reader, query)
  const none = {
    conditions: [],
    filters: [],
    keys: [],
    limit: 1,
    cursor: undefined,
    isHeavy: false,
  }
  return { collection, view, ...none, system: systemOf('crs', query.crs) }
}

function viewOf(
  collection: Collection,
  reader: Reader,
  query: Pick<ItemsQuery, 'properties'>,
): View {
  const names = query.properties?.map((name) => name.trim()).filter((name) => name !== 'geometry')
  assertProperties(collection.viewFor(reader), 'properties', names ?? [])
  return collection.viewFor(reader, names)
}

/** Narrows the type of parameters that `readStrictly` has validated. */
function toQuery(values: Readonly<Record<string, unknown>>): ItemsQuery {
  const isQuery = (value: unknown): value is ItemsQuery => typeof value === 'object'
  if (!isQuery(values)) throw new TypeError('A query is an object.')
  return values
}

function systemOf(parameter: string, uri: string | undefined): ReferenceSystem {
  if (uri === undefined) return crs84
  const system = systemNamed(uri)
  if (system !== undefined) return system
  throw rejected(
    parameter,
    `names ${JSON.stringify(uri)}, which the hub does not have`,
    referenceSystems.map((known) => known.uri),
  )
}

function assertProperties(view: View, parameter: string, names: readonly string[]): void {
  const unknown = names.find((name) => view.queryables.find(name) === undefined)
  if (unknown === undefined) return
  const detail = `names ${JSON.stringify(unknown)}, which is not a property of the collection`
  const { names: known } = view.queryables
  throw new AppError('HUB-QRY-001', `${parameter} ${detail}.`, {
    issues: [{ parameter, detail, expected: ['names of /queryables'], ...hintAt(unknown, known) }],
  })
}

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i

function boxFilter({ geometry }: Collection, query: ItemsQuery): readonly Chosen[] {
  const { bbox: text } = query
  const system = systemOf('bbox-crs', query['bbox-crs'])
  if (text === undefined) return []
  const items = text.split(',').map((item) => item.trim())
  if (!items.every((item) => decimal.test(item))) {
    throw rejected('bbox', 'is not a list of numbers', ['11,46,12,47'])
  }
  const area = areaOf(items.map(Number), system)
  return [{ parameter: 'bbox', text, condition: sql`st_intersects(${geometry}, ${area})` }]
}

/**
 * Returns the area of a box.
 * @throws AppError HUB-QRY-001 if the numbers are not a box
 */
function areaOf(numbers: readonly number[], system: ReferenceSystem): Sql {
  if (numbers.length !== 4 && numbers.length !== 6) {
    throw rejected('bbox', `has ${String(numbers.length)} numbers`, ['four numbers, or six'])
  }
  try {
    return drawnBox(boxOf(numbers, 0), system)
  } catch (error) {
    if (error instanceof LanguageError) throw rejected('bbox', 'is not a box', error.expected)
    throw error
  }
}

/**
 * Features without a time match every interval (17-069r4, requirement /req/core/fc-time-response).
 */
function timeFilter({ time }: View, { datetime }: ItemsQuery): readonly Chosen[] {
  if (datetime === undefined) return []
  const { from, to } = readDatetime(datetime)
  const begins = to === undefined ? sql`true` : sql`${time.from} <= ${to}::timestamptz`
  const ends = from === undefined ? sql`true` : sql`${time.to} >= ${from}::timestamptz`
  const condition = sql`coalesce(${begins} and ${ends}, true)`
  return [{ parameter: 'datetime', text: datetime, condition }]
}

function expressionFilter(view: View, query: ItemsQuery): readonly Chosen[] {
  const { filter } = query
  const system = systemOf('filter-crs', query['filter-crs'])
  if (filter === undefined) return []
  const encoding =
    query['filter-lang'] ?? (filter.trimStart().startsWith('{') ? 'cql2-json' : 'cql2-text')
  const { queryables } = view
  try {
    const expression = encoding === 'cql2-json' ? readJson(filter) : readText(filter)
    const condition = compile(expression, { queryables, system })
    return [{ parameter: 'filter', text: filter, condition }]
  } catch (error) {
    throw error instanceof LanguageError ? rejectedFilter(error) : error
  }
}

function rejectedFilter({ message, position, expected, hint }: LanguageError): AppError {
  return new AppError('HUB-QRY-017', `filter: ${message}`, {
    issues: [
      {
        parameter: 'filter',
        detail: message,
        position,
        expected,
        ...(hint === undefined ? {} : { hint }),
      },
    ],
    hint: 'The names are in /queryables of the collection; CQL2 is OGC 21-065r2.',
  })
}

function propertyFilters(
  collection: Collection,
  { queryables }: View,
  values: Readonly<Record<string, unknown>>,
): readonly Chosen[] {
  return filterable(collection).flatMap(({ name, type }): Chosen[] => {
    const given = values[name]
    if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean')
      return []
    const value = String(given)
    const found = queryables.find(name)
    if (found === undefined || type === 'geometry' || type === 'any') return []
    return [{ parameter: name, text: value, condition: equals(found, { name, type }, value) }]
  })
}

type Equal = { readonly name: string; readonly type: Kind }

function equals(property: Queryable, { name, type }: Equal, value: string): Sql {
  switch (type) {
    case 'number':
      return sql`${property.as(type)} = ${value}::double precision`
    case 'boolean':
      return sql`${property.as(type)} = ${value}::boolean`
    case 'text':
      return sql`${property.as(type)} = ${value}::text`
    case 'time': {
      const [from, to] = [boundOf(value, 'start', name), boundOf(value, 'end', name)]
      return sql`${property.as(type)} between ${from ?? '-infinity'}::timestamptz and ${to ?? 'infinity'}::timestamptz`
    }
  }
}

/**
 * Substitutes for a missing value when sorting in ascending and in descending order. It comes last
 * in either direction.
 */
const last = {
  text: [sql`chr(1114111)`, sql`''`],
  number: [sql`'infinity'::double precision`, sql`'-infinity'::double precision`],
  time: [sql`'infinity'::timestamptz`, sql`'-infinity'::timestamptz`],
} as const

const sqlTypes = { text: 'text', number: 'double precision', time: 'timestamptz' } as const

/**
 * The kinds as which values are sorted. Values of unknown type sort as numbers first, then as
 * texts.
 */
const orders: Readonly<Record<Kind | 'any', readonly (keyof typeof last)[]>> = {
  text: ['text'],
  boolean: ['text'],
  number: ['number'],
  time: ['time'],
  any: ['number', 'text'],
}

function orderOf({ key }: Collection, view: View, sortby: readonly string[]): readonly OrderKey[] {
  const written = sortby.map((one) => one.trim())
  const names = written.map((one) => one.replace(/^[+-]/, ''))
  assertProperties(view, 'sortby', names)
  const keys = names.flatMap((name, index): readonly OrderKey[] => {
    const found = view.queryables.find(name)
    if (found === undefined || found.type === 'geometry') {
      throw rejected('sortby', `names ${name}, which has no order`)
    }
    const direction = written[index]?.startsWith('-') === true ? 'descending' : 'ascending'
    return orders[found.type].map((kind) => keyOf(found, { name, kind, direction }))
  })
  return [...keys, { name: 'feature', value: key, type: 'text', direction: 'ascending' }]
}

type Ordered = Pick<OrderKey, 'name' | 'direction'> & { readonly kind: keyof typeof last }

function keyOf(property: Queryable, { name, kind, direction }: Ordered): OrderKey {
  const [greatest, least] = last[kind]
  const own =
    property.type === 'boolean' ? sql`(${property.as('boolean')})::text` : property.as(kind)
  // The substitute for a missing value is part of the key, because a cursor contains it as well.
  const value = sql`coalesce(${own}, ${direction === 'descending' ? least : greatest})`
  return {
    name: `${name} ${kind}`,
    value: kind === 'text' ? sql`${value} collate "C"` : value,
    type: sqlTypes[kind],
    direction,
  }
}

/** Bounds in ISO 8601; undefined is open. */
type Interval = { readonly from: string | undefined; readonly to: string | undefined }

const forms = ['2026-11-25', '2026-11-25T12:00:00Z', '2026-11-01/..', '2026-11-01/P7D']

/**
 * Parses the parameter `datetime`: a moment, a day, or an interval, of which one side may be open
 * or a duration (17-069r4, 7.15.4; RFC 3339, appendix A).
 * @throws AppError HUB-QRY-001
 */
function readDatetime(written: string): Interval {
  const [start = '', end, ...more] = written.split('/')
  if (more.length > 0) throw rejected('datetime', 'is not an interval', forms)
  if (end === undefined) return { from: boundOf(start, 'start'), to: boundOf(start, 'end') }
  if (isOpen(start) && isOpen(end)) return { from: undefined, to: undefined }
  const [before, after] = [durationOf(start), durationOf(end)]
  if (before !== undefined && after !== undefined) throw wrong(written)
  const from = before === undefined ? boundOf(start, 'start') : undefined
  const to = after === undefined ? boundOf(end, 'end') : undefined
  const interval = {
    from: before === undefined ? from : shifted(to, before, -1),
    to: after === undefined ? to : shifted(from, after, 1),
  }
  const isBackwards =
    interval.from !== undefined &&
    interval.to !== undefined &&
    Date.parse(interval.from) > Date.parse(interval.to)
  if (isBackwards) throw rejected('datetime', 'ends before it begins', ['start/end'])
  return interval
}

const isOpen = (written: string) => written === '..' || written === ''

/** Returns the first or last moment of a time or a day; undefined for an open end. */
function boundOf(
  written: string,
  side: 'start' | 'end',
  parameter = 'datetime',
): string | undefined {
  if (isOpen(written)) return undefined
  const moment = momentOf(withPlus(written))
  if (moment === undefined) throw wrong(written, parameter)
  if (moment.kind === 'time') return moment.value
  return `${moment.value}T${side === 'start' ? '00:00:00Z' : '23:59:59.999999Z'}`
}

type Duration = readonly number[]

const duration =
  /^P(?=.)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})S)?)?$/i

/**
 * Parses a duration into years, months, weeks, days, hours, minutes and seconds; undefined if it is
 * not a duration.
 */
function durationOf(written: string): Duration | undefined {
  const found = duration.exec(written)
  return found?.slice(1).map((count: string | undefined) => Number(count ?? 0))
}

function shifted(from: string | undefined, by: Duration, sign: 1 | -1): string {
  if (from === undefined) throw rejected('datetime', 'has a duration without a moment', forms)
  const [years = 0, months = 0, weeks = 0, days = 0, ...time] = by.map((count) => count * sign)
  const [hours = 0, minutes = 0, seconds = 0] = time
  const moment = new Date(from)
  const day = moment.getUTCDate()
  moment.setUTCFullYear(moment.getUTCFullYear() + years, moment.getUTCMonth() + months)
  // As XML Schema adds durations: a month after 31 January is the last day of February.
  if (moment.getUTCDate() !== day) moment.setUTCDate(0)
  moment.setUTCDate(moment.getUTCDate() + weeks * 7 + days)
  moment.setTime(moment.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000)
  const year = moment.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) throw rejected('datetime', 'leaves the calendar', forms)
  return moment.toISOString()
}

function wrong(written: string, parameter = 'datetime') {
  return rejected(parameter, `has ${JSON.stringify(written)}, which is not a valid time`, forms)
}
