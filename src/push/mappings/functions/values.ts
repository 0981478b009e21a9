import { hash } from 'node:crypto'
import { suggest } from '../../../lang/index.ts'
import type { IdRules, LoadedTable } from '../definition/definition.ts'
import { ExpressionFault } from '../faults.ts'

/** Returns a value for use in a reason: short, on one line. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/**
 * Returns an argument of `$<name>` as text.
 * @throws ExpressionFault if it is neither a text, a number nor a boolean
 */
export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new ExpressionFault(`$${name} takes texts and numbers, not ${shown(value)}`)
}

export function isNothing(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function isBlank(value: unknown): boolean {
  return isNothing(value) || (typeof value === 'string' && value.trim() === '')
}

/**
 * Implements `$id(rule, part, …)`: returns an identifier by its rule. Gives nothing if a part is
 * missing or blank, so that no two things get the same identifier.
 */
export function idMaker(rules: IdRules) {
  return (rule: unknown, ...parts: readonly unknown[]): string | undefined => {
    const found = typeof rule === 'string' && Object.hasOwn(rules, rule) ? rules[rule] : undefined
    if (found === undefined) throw noSuchRule(rule, rules)
    if (parts.length === 0 || parts.some(isBlank)) return undefined
    const { prefix = '', separator = ':', uuid5 } = found
    const joined = parts.map((part) => textOf(part, 'id')).join(separator)
    return `${prefix}${uuid5 === undefined ? joined : toUuid5(uuid5, joined)}`
  }
}

function noSuchRule(rule: unknown, rules: IdRules): ExpressionFault {
  const names = Object.keys(rules)
  const hint = suggest(String(rule), names, `ids: ${names.join(', ') || 'none'}`)
  return new ExpressionFault(`$id: there is no rule ${shown(rule)}; ${hint}`)
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Namespaces of RFC 9562, section 6.6. */
const namespaces = new Map([
  ['dns', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  ['url', '6ba7b811-9dad-11d1-80b4-00c04fd430c8'],
  ['oid', '6ba7b812-9dad-11d1-80b4-00c04fd430c8'],
  ['x500', '6ba7b814-9dad-11d1-80b4-00c04fd430c8'],
])

/**
 * Implements `$uuid5(namespace, name)`: the same name always gives the same UUID (RFC 9562, section
 * 5.5).
 */
export function uuid5(namespace: unknown, name: unknown): string | undefined {
  if (isNothing(namespace) || isNothing(name)) return undefined
  return toUuid5(textOf(namespace, 'uuid5'), textOf(name, 'uuid5'))
}

function toUuid5(namespace: string, name: string): string {
  const space = namespaces.get(namespace) ?? namespace
  if (!uuidPattern.test(space)) {
    throw new ExpressionFault(
      `$uuid5: ${JSON.stringify(namespace)} is not a valid UUID, nor dns, url, oid or x500`,
    )
  }
  const spaceBytes = Buffer.from(space.replaceAll('-', ''), 'hex')
  const bytes = hash('sha1', Buffer.concat([spaceBytes, Buffer.from(name)]), 'buffer').subarray(
    0,
    16,
  )
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Implements `$hash(value, length?)`: returns the SHA-256 in hexadecimal digits, or its first
 * `length` digits.
 */
export function hashOf(value: unknown, length: unknown): string | undefined {
  if (isNothing(value)) return undefined
  const text = typeof value === 'object' ? JSON.stringify(value) : textOf(value, 'hash')
  const digits = hash('sha256', text)
  return typeof length === 'number' ? digits.slice(0, Math.max(1, Math.floor(length))) : digits
}

type Tables = ReadonlyMap<string, Table>

type Row = LoadedTable['rows'][string][number]

type Table = {
  readonly rows: ReadonlyMap<string, readonly Row[]>
  readonly default: unknown
}

/**
 * Converts tables for expressions. They are Maps, in which keys such as `constructor` are only
 * keys.
 */
export function toTables(loaded: Readonly<Record<string, LoadedTable>>): Tables {
  return new Map(
    Object.entries(loaded).map(([name, table]) => [
      name,
      { rows: new Map(Object.entries(table.rows)), default: table.default },
    ]),
  )
}

/**
 * Implements `$lookup(table, key, default?)`: returns the value of a key. If an object or a list of
 * objects is given instead of the name of a table, it is JSONata's own function of that name.
 */
export function lookupIn(tables: Tables) {
  return (table: unknown, key: unknown, otherwise: unknown): unknown => {
    if (typeof table !== 'string') return memberOf(table, key)
    const { rows, default: usual } = tableOf(tables, table)
    const fallback = otherwise ?? usual
    if (isNothing(key)) return fallback
    const found = rows.get(textOf(key, 'lookup'))
    return found === undefined ? fallback : found[0]?.value
  }
}

/**
 * Implements `$lookupAt(table, key, time)`: returns the first row of a key whose columns `from` and
 * `to` span a time. The end is exclusive.
 */
export function lookupAtIn(tables: Tables) {
  return (table: unknown, key: unknown, time: unknown): unknown => {
    const { rows, default: usual } = tableOf(tables, textOf(table, 'lookupAt'))
    if (isNothing(key) || isNothing(time)) return usual
    const moment = typeof time === 'number' ? time : Date.parse(textOf(time, 'lookupAt'))
    if (Number.isNaN(moment))
      throw new ExpressionFault('$lookupAt takes a time in the form that $time returns')
    const found = rows
      .get(textOf(key, 'lookupAt'))
      ?.find(({ from, to }) => (from === null || from <= moment) && (to === null || moment < to))
    return found === undefined ? usual : found.value
  }
}

function tableOf(tables: Tables, name: string): Table {
  const table = tables.get(name)
  if (table !== undefined) return table
  const hint = suggest(name, tables.keys(), `tables: ${[...tables.keys()].join(', ') || 'none'}`)
  throw new ExpressionFault(`There is no table ${JSON.stringify(name)}; ${hint}`)
}

function memberOf(value: unknown, key: unknown): unknown {
  if (typeof key !== 'string' || typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return Object.entries(value).find(([name]) => name === key)?.[1]
  const found = value.map((one) => memberOf(one, key)).filter((one) => one !== undefined)
  return found.length > 1 ? found.flat() : found[0]
}

// ISO 8601 with weeks, days and times, optionally with a sign, as SIRI writes delays (xs:duration).
// PnYnM is handled below.
const duration =
  /^(?<sign>[+-])?P(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:[.,]\d+)?)S)?)?$/

const secondsOf = { weeks: 604_800, days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const

/**
 * Implements `$duration(value)`: returns the seconds of an ISO 8601 duration such as `PT1H30M` or
 * `-PT45S`. Missing and blank values give nothing.
 * @throws ExpressionFault for anything else, and for months and years other than 0, because their
 *   length varies
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
      `${shown(value)} is not a valid duration of weeks, days, hours, minutes and seconds (PT1H30M)`,
    )
  }
  const sum = given.reduce(
    (all, [name, size]) => all + Number(parts[name]?.replace(',', '.')) * size,
    0,
  )
  return parts['sign'] === '-' ? 0 - sum : sum
}
