import { sql } from '../../../sql/index.ts'
import type { Queryable, TextRow } from '../../../storage/index.ts'
import { dataType, measurement, provenance } from '../../catalogue/groups.ts'
import type { Shown } from '../../select/resolve.ts'
import type { Cell } from '../cell.ts'
import type { ReadPlan } from '../plan.ts'
import type { ChosenSeries } from './choose-series.ts'
import { describe } from './describe.ts'
import { packJson, packNumbers, packTimes } from './packing.ts'
import type { Packed } from './packing.ts'
import { areNumbers } from './value-kinds.ts'
import { at } from './value-rows.ts'

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
