import { join, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable, TextRow } from '../../../storage/index.ts'
import { dataType, measurement, provenance } from '../../catalogue/groups.ts'
import type { Shown } from '../../select/resolve.ts'
import type { Cell } from '../members.ts'
import type { ReadPlan } from '../plan.ts'
import type { ChosenSeries } from './choose-series.ts'
import { areNumbers, arrayOf, packJson, packNumbers, packTimes } from './packing.ts'
import type { Packed } from './packing.ts'
import { at } from './value-rows.ts'

/** What describes many rows, such as their stations: read once for each id that stands in a row. */
type Description = {
  /** Where the value of an expression will be found. */
  readonly add: (expression: Sql) => Cell
  /** Reads what describes these rows and is not there yet. */
  readonly complete: (database: Queryable, rows: readonly TextRow[]) => Promise<void>
}

type Described = {
  /** Where in a row the id stands. */
  readonly key: number
  readonly from: Sql
  readonly id: Sql
  /** The series that show it, where that is known; only what belongs to their choice is remembered. */
  readonly of?: { readonly series: readonly string[]; readonly total: number }
}

export function describe({ key, from, id, of: shown }: Described): Description {
  const known = new Map<string, TextRow>()
  const of = { key, rows: known }
  const columns: Sql[] = [id]
  const read = async (database: Queryable, missing: ReadonlySet<string>) => {
    const found = await database.texts(sql`
      select ${join(columns, ', ')} from ${from} where ${id} = any(${arrayOf([...missing])}::integer[])`)
    for (const row of found) known.set(row[0] ?? '', row)
  }
  return {
    add: (expression) => ({ of, index: columns.push(expression) - 1 }),
    complete: async (database, rows) => {
      if (columns.length === 1) return
      if (shown && known.size === 0) recall(shown.series, columns, known)
      if (known.size === shown?.total) return
      const missing = new Set<string>()
      for (const { [key]: wanted } of rows) {
        if (wanted !== null && wanted !== undefined && !known.has(wanted)) missing.add(wanted)
      }
      if (missing.size === 0) return
      await read(database, missing)
      if (shown && known.size === shown.total) remember(shown.series, columns, known)
    },
  }
}

type Remembered = { readonly columns: string; readonly rows: ReadonlyMap<string, TextRow> }

/**
 * What described the series of a choice when it was last shown, by what it is read from. A choice is
 * thrown away when a station or a data type is another one (`rememberChoices`), and this goes with it.
 */
const lastDescribed = new WeakMap<readonly string[], Map<string, Remembered>>()

/** For each series: what is longer is read again, so that all choices together stay small. */
const mostCharacters = 300

function recall(series: readonly string[], columns: readonly Sql[], known: Map<string, TextRow>) {
  const last = lastDescribed.get(series)?.get(columns[0]?.text ?? '')
  if (last?.columns !== nameOf(columns)) return
  for (const [id, row] of last.rows) known.set(id, row)
}

function remember(series: readonly string[], columns: readonly Sql[], rows: Map<string, TextRow>) {
  let characters = 0
  for (const row of rows.values()) for (const text of row) characters += text?.length ?? 0
  if (characters > mostCharacters * series.length) return
  const last = lastDescribed.get(series) ?? new Map<string, Remembered>()
  last.set(columns[0]?.text ?? '', { columns: nameOf(columns), rows })
  lastDescribed.set(series, last)
}

function nameOf(columns: readonly Sql[]): string {
  return JSON.stringify(columns.map(({ text, values }) => [text, values]))
}

/** Where everything stands that an answer shows of its rows. */
export type ValueLayout = {
  readonly packed: readonly Packed[]
  /** Of each shown field. */
  readonly shown: readonly Cell[]
  /** Of the keys of the tree. */
  readonly keys: readonly Cell[]
  /** Reads what describes some rows, before they are written. */
  readonly describe: (database: Queryable, rows: readonly TextRow[]) => Promise<unknown>
}

/** Values come in rows of their own; stations, data types and provenances are read once and shared by them. */
export function layOutValues(plan: ReadPlan, series: ChosenSeries): ValueLayout {
  const packed: Packed[] = []
  const pack = (column: Packed): Cell => ({ index: at.packed + packed.push(column) - 1 })
  const isTraced = plan.shown.some(({ group }) => group === provenance)
  const source = isTraced ? pack(packNumbers(sql`m.provenance_id`)).index : at.packed
  const stations = describe({
    ...stationRows,
    key: at.station,
    of: { series: series.ids, total: new Set(series.stations).size },
  })
  const dataTypes = describe({
    ...dataTypeRows,
    key: at.dataType,
    of: { series: series.ids, total: new Set(series.dataTypes).size },
  })
  const provenances = describe({ ...provenanceRows, key: source })
  const cellOf = (field: Shown): Cell => {
    if (field.group === dataType) return dataTypes.add(field.printed)
    if (field.group === provenance) return provenances.add(field.printed)
    if (field.group !== measurement) return stations.add(field.printed)
    return knownCell(field) ?? pack(packedValue(field, series))
  }
  return {
    packed,
    shown: plan.shown.map(cellOf),
    keys: keysOf(plan).map(({ isOfType, key }) => (isOfType ? dataTypes : stations).add(key)),
    describe: (database, rows) =>
      Promise.all(
        [stations, dataTypes, provenances].map(({ complete }) => complete(database, rows)),
      ),
  }
}

const stationRows = {
  from: sql`station as s left join station as p on p.id = s.parent_id`,
  id: sql`s.id`,
}
const dataTypeRows = { from: sql`data_type as t`, id: sql`t.id` }
const provenanceRows = { from: sql`provenance as pr`, id: sql`pr.id` }

/** What every row has, because it is in the key of a value or the same for its series. */
function knownCell({ field, inner }: Shown): Cell | undefined {
  if (inner !== undefined) return undefined
  if (field.isOfSeries === true) return { index: at.period }
  return field.name === 'mvalidtime' ? { index: at.time } : undefined
}

function packedValue({ field, inner, type, printed }: Shown, { kinds }: ChosenSeries): Packed {
  if (type === 'time') return packTimes(printed)
  const number = field.parts?.number
  return areNumbers(kinds) && inner === undefined && number !== undefined
    ? packNumbers(number)
    : packJson(printed)
}

function keysOf({ structure, level: { tree, treeOrder } }: ReadPlan) {
  if (structure === 'flat') return []
  return tree.levels.flatMap(({ key, own }) => {
    const expression = treeOrder.columns[key]?.expression
    return expression === undefined ? [] : [{ key: expression, isOfType: own.includes(dataType) }]
  })
}
