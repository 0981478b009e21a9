import type { TableDefinition, TimeRules } from './members.ts'
import { DecodeFault, decodePayload } from '../decode/index.ts'
import { ExpressionFault, FileFault } from '../faults.ts'
import { timeReader } from '../functions/time.ts'
import type { LoadedTable } from './loaded-mapping.ts'

/** A table with its file's bytes, where it has one. */
type Source = { readonly bytes: Uint8Array; readonly times: TimeRules }

/** Tables are in memory as long as the hub runs. */
const limits = { maxBytes: 33_554_432, maxDepth: 50 }

/** @throws FileFault for what cannot be looked up in */
export function loadTable(table: TableDefinition, read: (file: string) => Source): LoadedTable {
  const fallback = table.default === undefined ? {} : { default: table.default }
  if ('values' in table) return { rows: ofValues(table.values), ...fallback }
  const { bytes, times } = read(table.file)
  const value = decodeFile(table, bytes)
  if (!Array.isArray(value)) {
    if (typeof value !== 'object' || value === null || table.key !== undefined) {
      throw new FileFault('is no list of rows')
    }
    return { rows: ofValues(Object.fromEntries(Object.entries(value))), ...fallback }
  }
  return { rows: ofRows(value, table, timeReader(times)), ...fallback }
}

type FileTable = Extract<TableDefinition, { readonly file: string }>

function decodeFile({ file, csv }: FileTable, bytes: Uint8Array): unknown {
  try {
    return decodePayload(bytes, file.endsWith('.json') ? ['json'] : [{ csv: csv ?? {} }], limits)
  } catch (error) {
    if (error instanceof DecodeFault) throw new FileFault(error.message)
    throw error
  }
}

function ofValues(values: Readonly<Record<string, unknown>>): LoadedTable['rows'] {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, [{ value, from: null, to: null }]]),
  )
}

type ReadTime = ReturnType<typeof timeReader>

function ofRows(
  rows: readonly unknown[],
  table: FileTable,
  readTime: ReadTime,
): LoadedTable['rows'] {
  const { key, value, from, to } = table
  if (key === undefined) throw new FileFault('needs a key: the name of a column')
  const byKey = new Map<string, LoadedTable['rows'][string]>()
  rows.forEach((row: unknown, index) => {
    if (typeof row !== 'object' || row === null) throw inRow(index, 'is no object')
    const cells = new Map(Object.entries(row))
    const cell = (column: string): unknown => {
      if (cells.has(column)) return cells.get(column)
      throw inRow(index, `has no column ${column}; it has ${[...cells.keys()].join(', ')}`)
    }
    const moment = (column: string | undefined) =>
      column === undefined ? null : toMoment(cell(column), { readTime, index })
    const entry = {
      value: value === undefined ? row : cell(value),
      from: moment(from),
      to: moment(to),
    }
    const written = String(cell(key))
    const before = byKey.get(written)
    if (before === undefined) byKey.set(written, [entry])
    else if (from === undefined && to === undefined)
      throw inRow(index, `has the key ${written} again`)
    else before.push(entry)
  })
  return Object.fromEntries(byKey)
}

function toMoment(
  cell: unknown,
  { readTime, index }: { readonly readTime: ReadTime; readonly index: number },
): number | null {
  try {
    const time = readTime(cell, undefined, undefined)
    return time === undefined ? null : Date.parse(time)
  } catch (error) {
    if (error instanceof ExpressionFault) throw inRow(index, error.message)
    throw error
  }
}

/** Counted from 1, without the header. */
function inRow(index: number, reason: string): FileFault {
  return new FileFault(`row ${String(index + 1)} ${reason}`)
}
