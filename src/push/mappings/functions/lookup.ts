import { nearest } from '../../../lang/index.ts'
import type { LoadedTable } from '../definition/loaded-mapping.ts'
import { ExpressionFault } from '../faults.ts'
import { isNothing, textOf } from './values.ts'

export type Tables = ReadonlyMap<string, Table>

type Row = LoadedTable['rows'][string][number]

type Table = {
  readonly rows: ReadonlyMap<string, readonly Row[]>
  readonly default: unknown
}

/** Tables as expressions use them; keys such as `constructor` are only keys. */
export function toTables(loaded: Readonly<Record<string, LoadedTable>>): Tables {
  return new Map(
    Object.entries(loaded).map(([name, table]) => [
      name,
      { rows: new Map(Object.entries(table.rows)), default: table.default },
    ]),
  )
}

/**
 * `$lookup(table, key, default?)`: what stands under a key. With an object, or a list of them, in place of
 * the name of a table it is the function of that name in JSONata.
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
 * `$lookupAt(table, key, time)`: of the rows under a key the first whose columns `from` and `to` span a
 * time; the end does not belong to it.
 */
export function lookupAtIn(tables: Tables) {
  return (table: unknown, key: unknown, time: unknown): unknown => {
    const { rows, default: usual } = tableOf(tables, textOf(table, 'lookupAt'))
    if (isNothing(key) || isNothing(time)) return usual
    const moment = typeof time === 'number' ? time : Date.parse(textOf(time, 'lookupAt'))
    if (Number.isNaN(moment)) throw new ExpressionFault('$lookupAt takes a time as $time gives it')
    const found = rows
      .get(textOf(key, 'lookupAt'))
      ?.find(({ from, to }) => (from === null || from <= moment) && (to === null || moment < to))
    return found === undefined ? usual : found.value
  }
}

function tableOf(tables: Tables, name: string): Table {
  const table = tables.get(name)
  if (table !== undefined) return table
  const meant = nearest(name, tables.keys())
  const hint =
    meant === undefined
      ? `tables: ${[...tables.keys()].join(', ') || 'none'}`
      : `did you mean ${meant}?`
  throw new ExpressionFault(`There is no table ${JSON.stringify(name)}; ${hint}`)
}

function memberOf(value: unknown, key: unknown): unknown {
  if (typeof key !== 'string' || typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return Object.entries(value).find(([name]) => name === key)?.[1]
  const found = value.map((one) => memberOf(one, key)).filter((one) => one !== undefined)
  return found.length > 1 ? found.flat() : found[0]
}
