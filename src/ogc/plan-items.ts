import { AppError } from '../errors/index.ts'
import type { OrderKey } from '../content/index.ts'
import { LanguageError, hintAt } from '../lang/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Collection, Kind, Queryable, Reader, View } from './collection.ts'
import { compile, drawn } from './cql2/compile.ts'
import { boxOf, toMoment } from './cql2/limits.ts'
import { readJson } from './cql2/read-json.ts'
import { readText } from './cql2/read-text.ts'
import type { ItemsPlan } from './load-items.ts'
import {
  filterable,
  itemSchema,
  itemsSchema,
  mostFeatures,
  readStrictly,
  rejected,
} from './parameters.ts'
import type { ItemsQuery } from './parameters.ts'
import { crs84, referenceSystems, systemNamed } from './reference-systems.ts'
import type { ReferenceSystem } from './reference-systems.ts'

/** A condition, and how it was written. */
type Chosen = { readonly parameter: string; readonly text: string; readonly condition: Sql }

/**
 * What a request for the features of a collection reads.
 * @throws AppError HUB-QRY-001, 012 and 017 for parameters that cannot be taken
 */
export function planItems(collection: Collection, reader: Reader, raw: unknown): ItemsPlan {
  const values = readStrictly(itemsSchema(collection), raw)
  const query = toQuery(values)
  const { properties, limit, cursor } = query
  const view = collection.viewFor(reader, properties)
  assertProperties(view, 'properties', properties ?? [])
  const chosen = [
    ...boxFilter(collection, query),
    ...timeFilter(view, query),
    ...expressionFilter(view, query),
    ...propertyFilters(collection, view, values),
  ]
  return {
    collection,
    view,
    conditions: chosen.map(({ condition }) => condition),
    filters: chosen.map(({ parameter, text }) => ({ parameter, text })),
    keys: orderOf(collection, view, query.sortby ?? []),
    limit: Math.min(limit, mostFeatures),
    cursor,
    system: systemOf('crs', query.crs),
  }
}

/** The same for one feature. @throws AppError HUB-QRY-001 */
export function planItem(collection: Collection, reader: Reader, raw: unknown): ItemsPlan {
  const { crs, properties } = toQuery(readStrictly(itemSchema, raw))
  const view = collection.viewFor(reader, properties)
  assertProperties(view, 'properties', properties ?? [])
  const none = { conditions: [], filters: [], keys: [], limit: 1, cursor: undefined }
  return { collection, view, ...none, system: systemOf('crs', crs) }
}

/** `readStrictly` has proved it. */
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
    `names ${JSON.stringify(uri)}, in which the hub has nothing`,
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

function boxFilter({ geometry }: Collection, query: ItemsQuery): readonly Chosen[] {
  const bbox = query.bbox?.map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  const system = systemOf('bbox-crs', query['bbox-crs'])
  if (bbox === undefined) return []
  if (bbox.length === 5) throw rejected('bbox', 'has five numbers', ['four numbers, or six'])
  if (bbox.some(Number.isNaN)) throw rejected('bbox', 'has what is no number', ['11,46,12,47'])
  try {
    const area = drawn(boxOf(bbox, 0), system)
    return [
      {
        parameter: 'bbox',
        text: bbox.join(','),
        condition: sql`st_intersects(${geometry}, ${area})`,
      },
    ]
  } catch (error) {
    if (error instanceof LanguageError) throw rejected('bbox', 'is not a box', error.expected)
    throw error
  }
}

/** Features without a time are in every interval (17-069r4, requirement /req/core/fc-time-response). */
function timeFilter({ time }: View, { datetime }: ItemsQuery): readonly Chosen[] {
  if (datetime === undefined) return []
  const [start, end, ...more] = datetime.split('/')
  if (more.length > 0 || start === undefined) throw rejected('datetime', 'is not an interval')
  const [from, to] = [boundOf(start, 'start'), end === undefined ? undefined : boundOf(end, 'end')]
  const last = end === undefined ? boundOf(start, 'end') : to
  if (end !== undefined && from === undefined && to === undefined && start + end !== '....') {
    throw rejected('datetime', 'has two open ends', ['a moment, or an interval'])
  }
  if (from !== undefined && last !== undefined && from > last) {
    throw rejected('datetime', 'ends before it begins', ['start/end'])
  }
  const begins = last === undefined ? sql`true` : sql`${time.from} <= ${last}::timestamptz`
  const ends = from === undefined ? sql`true` : sql`${time.to} >= ${from}::timestamptz`
  const condition = sql`coalesce(${begins} and ${ends}, true)`
  return [{ parameter: 'datetime', text: datetime, condition }]
}

/** The first or last moment of what is written; undefined for an open end. */
function boundOf(written: string, side: 'start' | 'end'): string | undefined {
  if (written === '..' || written === '') return undefined
  try {
    const moment = toMoment(written.includes('T') ? 'time' : 'date', written, 0)
    if (moment.kind === 'time') return new Date(moment.value).toISOString()
    return `${moment.value}T${side === 'start' ? '00:00:00.000Z' : '23:59:59.999Z'}`
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    throw rejected('datetime', `has ${JSON.stringify(written)}, which is no time`, [
      '2026-11-25',
      '2026-11-25T12:00:00Z',
      '..',
    ])
  }
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
    return [{ parameter: name, text: value, condition: equals(found, type, value) }]
  })
}

function equals(property: Queryable, type: Kind, value: string): Sql {
  switch (type) {
    case 'number':
      return sql`${property.as(type)} = ${value}::double precision`
    case 'boolean':
      return sql`${property.as(type)} = ${value}::boolean`
    case 'text':
      return sql`${property.as(type)} = ${value}::text`
    case 'time': {
      const [from, to] = [boundOf(value, 'start'), boundOf(value, 'end')]
      return sql`${property.as(type)} between ${from ?? '-infinity'}::timestamptz and ${to ?? 'infinity'}::timestamptz`
    }
  }
}

/** What stands in for a missing value: it comes last in either direction. */
const last = {
  text: [sql`chr(1114111)`, sql`''`],
  number: [sql`'infinity'::double precision`, sql`'-infinity'::double precision`],
  time: [sql`'infinity'::timestamptz`, sql`'-infinity'::timestamptz`],
} as const

const sqlTypes = { text: 'text', number: 'double precision', time: 'timestamptz' } as const

function orderOf({ key }: Collection, view: View, sortby: readonly string[]): readonly OrderKey[] {
  const names = sortby.map((written) => written.replace(/^[+ -]/, ''))
  assertProperties(view, 'sortby', names)
  const keys = names.flatMap((name, index): OrderKey[] => {
    const found = view.queryables.find(name)
    if (found === undefined || found.type === 'geometry') {
      throw rejected('sortby', `names ${name}, which has no order`)
    }
    const kind = found.type === 'number' || found.type === 'time' ? found.type : 'text'
    const isDescending = sortby[index]?.startsWith('-') === true
    const [greatest, least] = last[kind]
    const collated = (value: Sql) => (kind === 'text' ? sql`${value} collate "C"` : value)
    return [
      {
        name: `${name} ${kind}`,
        value: collated(found.as(kind)),
        type: sqlTypes[kind],
        comparable: (value) =>
          collated(sql`coalesce(${value}, ${isDescending ? least : greatest})`),
        direction: isDescending ? 'descending' : 'ascending',
      },
    ]
  })
  return [...keys, { name: 'feature', value: key, type: 'text', direction: 'ascending' }]
}
