import { LRUCache } from 'lru-cache'
import { join, sql, unestimated } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable, TextRow } from '../../../storage/index.ts'
import { dataType, measurement, provenance } from '../../catalogue/groups.ts'
import type { Shown } from '../../select/resolve.ts'
import type { Cell, WrittenRow } from '../../../tables/index.ts'
import type { ReadPlan } from '../plan.ts'
import { catalogue as catalogueNow, dataTypesOf } from './choose-series.ts'
import type { Before, ChosenSeries } from './choose-series.ts'
import { areNumbers, arrayOf, packJson, packNumbers, packTimes } from './packing.ts'
import type { Packed } from './packing.ts'
import { at } from './value-rows.ts'

/** Descriptions that many rows share, such as those of their stations. Each is read once per id. */
type Description = {
  /**
   * Adds an expression to the descriptions.
   * @returns the cell that will hold its value
   */
  readonly add: (expression: Sql) => Cell
  /**
   * Reads the missing descriptions of these ids.
   * @returns whether they are of the same state as the catalogue
   */
  readonly complete: (database: Queryable, ids: Iterable<Id>) => Promise<boolean>
}

type Id = string | null | undefined

type Source = {
  /** Position of the id in a row. */
  readonly key: number
  readonly from: Sql
  readonly id: Sql
  /**
   * Version of the descriptions: as long as it is the same, so are they. Empty if they never
   * change.
   */
  readonly catalogue: string
  /** Selects the current version. */
  readonly current?: Sql
  /** An earlier version. All descriptions are the same in it, except those of the changed ids. */
  readonly before?: Before | undefined
}

type Described = {
  readonly rows: Map<string, TextRow>
  /** Rows for lists of ids that are requested repeatedly, such as those of a choice. */
  readonly chosen: WeakMap<Iterable<Id>, Map<string, TextRow>>
  /**
   * Written texts of all states, because each text is stored with the row that it was written from.
   */
  readonly written: Map<string, Map<string, WrittenRow>>
  /** Number of characters in all rows. */
  characters: number
}

/** Cache of the descriptions of series that were last shown, for all responses. */
export type Descriptions = ReturnType<typeof rememberDescriptions>

/**
 * Limit on the characters of all cached rows. A character takes one or two bytes, and the same
 * again in its written text.
 */
const maxCharacters = 12_000_000

export function rememberDescriptions() {
  const known = new LRUCache<string, Described>({
    maxSize: maxCharacters,
    sizeCalculation: ({ characters }) => characters + 1,
  })
  return {
    find: (name: string) => known.get(name),
    /**
     * Stores an entry that has grown. It is deleted first, because the cache measures only new
     * entries.
     */
    keep: (name: string, described: Described) => {
      known.delete(name)
      known.set(name, described)
    },
  }
}

export function describe(descriptions: Descriptions, source: Source): Description {
  const { key, from, id, catalogue, current } = source
  const columns: Sql[] = [id]
  const isCurrent = current === undefined ? sql`null` : sql`${current} = ${catalogue}::text`
  let rows = new Map<string, TextRow>()
  let found: Recollected | undefined
  const shown = () => columns.map(({ text, values }) => [text, values])
  const remembered = () =>
    (found ??= recollect(descriptions, source, JSON.stringify([from.text, shown()])))
  const of = {
    key,
    get rows() {
      return rows
    },
    get written() {
      return remembered().described.written
    },
  }
  return {
    add: (expression) => ({ of, index: columns.push(expression) - 1 }),
    complete: async (database, ids) => {
      if (columns.length === 1) return true
      const recalled = recall(rows, remembered().described, ids)
      rows = recalled.rows
      const { missing } = recalled
      if (missing.size === 0) return true
      const wanted = unestimated(sql`${arrayOf([...missing])}::integer[]`)
      const read = await database.texts(sql`
        select ${join([...columns, isCurrent], ', ')} from ${from} where ${id} = any(${wanted}::integer[])`)
      for (const row of read) rows.set(row[0] ?? '', row)
      // A row that was not found has been deleted since.
      const isOfCatalogue = read.length === missing.size && read.every((row) => row.at(-1) !== 'f')
      if (!isOfCatalogue) found = { name: undefined, described: nothing() }
      const { name, described } = remembered()
      if (name === undefined) return false
      for (const row of read) addTo(described, row)
      descriptions.keep(name, described)
      return true
    },
  }
}

const nothing = (): Described => ({
  rows: new Map(),
  chosen: new WeakMap(),
  written: new Map(),
  characters: 0,
})

function addTo(described: Described, row: TextRow): void {
  const { rows } = described
  const id = row[0] ?? ''
  // Two concurrent requests may both have read it.
  described.characters += lengthOf(row) - lengthOf(rows.get(id) ?? [])
  rows.set(id, row)
}

type Recollected = {
  /** Undefined if the rows are not of a single state. They are then not cached. */
  readonly name: string | undefined
  readonly described: Described
}

/**
 * Returns the known descriptions for the catalogue. A new catalogue starts with those of the
 * earlier one, without those that have changed.
 */
function recollect(
  descriptions: Descriptions,
  { catalogue, before }: Source,
  shown: string,
): Recollected {
  const nameIn = (version: string) => `${version} ${shown}`
  const name = nameIn(catalogue)
  const known = descriptions.find(name)
  if (known !== undefined) return { name, described: known }
  const described = without(before, before && descriptions.find(nameIn(before.catalogue)))
  descriptions.keep(name, described)
  return { name, described }
}

function without(before: Before | undefined, known: Described | undefined): Described {
  if (known === undefined) return nothing()
  const rows = new Map(known.rows)
  let { characters } = known
  for (const id of before?.changed ?? []) {
    characters -= lengthOf(rows.get(id) ?? [])
    rows.delete(id)
  }
  return { rows, chosen: new WeakMap(), written: known.written, characters }
}

function lengthOf(row: TextRow): number {
  return row.reduce((sum, text) => sum + (text?.length ?? 0), 0)
}

/**
 * Adds the known rows of these ids to `rows`.
 * @returns the rows, and the ids whose row is not known
 */
function recall(
  rows: Map<string, TextRow>,
  { rows: known, chosen }: Described,
  ids: Iterable<Id>,
): { readonly rows: Map<string, TextRow>; readonly missing: ReadonlySet<string> } {
  const missing = new Set<string>()
  const isFirst = rows.size === 0
  const whole = isFirst ? chosen.get(ids) : undefined
  if (whole !== undefined) return { rows: whole, missing }
  for (const one of ids) {
    if (one === null || one === undefined || rows.has(one)) continue
    const row = known.get(one)
    if (row === undefined) missing.add(one)
    else rows.set(one, row)
  }
  if (isFirst && missing.size === 0) chosen.set(ids, rows)
  return { rows, missing }
}

/** Positions of everything that a response shows of its rows. */
export type ValueLayout = {
  readonly packed: readonly Packed[]
  /** Cells of the shown fields. */
  readonly shown: readonly Cell[]
  /** Cells of the keys of the tree. */
  readonly keys: readonly Cell[]
  /**
   * Reads the stations and data types of some rows.
   * @returns whether they are of the same state as the choice
   */
  readonly describe: (database: Queryable, rows: readonly TextRow[]) => Promise<boolean>
  /**
   * Reads the stations and data types of all series.
   * @returns whether they are of the same state as the choice
   */
  readonly describeAll: (database: Queryable) => Promise<boolean>
  /** Reads the provenance of the values of some rows. It does not depend on the choice. */
  readonly trace: (database: Queryable, rows: readonly TextRow[]) => Promise<unknown>
}

/**
 * Lays out rows of values. Each value has a row of its own; stations, data types and provenances
 * are read once and shared by the rows.
 */
export function layOutValues(
  plan: ReadPlan,
  series: ChosenSeries,
  descriptions: Descriptions,
): ValueLayout {
  const { catalogue, before } = series
  const packed: Packed[] = []
  const pack = (column: Packed): Cell => ({ index: at.packed + packed.push(column) - 1 })
  const isTraced = plan.shown.some(({ group }) => group === provenance)
  const source = isTraced ? pack(packNumbers(sql`m.provenance_id`)).index : at.packed
  const stations = describe(descriptions, { ...stationRows, key: at.station, catalogue, before })
  const types = { ...dataTypeRows, key: at.dataType, catalogue: dataTypesOf(catalogue) }
  const dataTypes = describe(descriptions, types)
  const provenances = describe(descriptions, { ...provenanceRows, key: source, catalogue: '' })
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
      areAll([
        stations.complete(database, columnOf(rows, at.station)),
        dataTypes.complete(database, columnOf(rows, at.dataType)),
      ]),
    describeAll: (database) =>
      areAll([
        stations.complete(database, series.stations),
        dataTypes.complete(database, series.dataTypes),
      ]),
    trace: (database, rows) => provenances.complete(database, columnOf(rows, source)),
  }
}

async function areAll(found: readonly Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(found)).every(Boolean)
}

function* columnOf(rows: readonly TextRow[], index: number): Iterable<Id> {
  for (const row of rows) yield row[index]
}

const stationRows = {
  from: sql`station as s left join station as p on p.id = s.parent_id`,
  id: sql`s.id`,
  current: catalogueNow,
}
const dataTypeRows = { from: sql`data_type as t`, id: sql`t.id` }
const provenanceRows = { from: sql`provenance as pr`, id: sql`pr.id` }

/**
 * Returns the cell of a field that every row has, because it is in the key of a value or the same
 * for its series.
 */
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
