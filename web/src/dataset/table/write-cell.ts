import { formatDate, formatDateTime, formatNumber } from '../../language/index.ts'
import type { Cell } from '../columns/to-cell.ts'
import { words } from '../words.ts'

/** A number of a cell, no longer than it helps. */
export function writeNumber(value: number): string {
  return formatNumber(value, { maximumFractionDigits: 3 })
}

/** A time of a cell: a day alone, or with the time of day. */
export function writeTime({
  at,
  hasTime,
}: Pick<Extract<Cell, { kind: 'time' }>, 'at' | 'hasTime'>) {
  return hasTime ? formatDateTime(at) : formatDate(at, { dateStyle: 'medium' })
}

/** What a cell says where only words fit, as in a list. */
export function writeCell(cell: Cell): string {
  switch (cell.kind) {
    case 'text':
    case 'json':
    case 'link':
      return cell.text
    case 'number':
      return writeNumber(cell.value)
    case 'boolean':
      return cell.value ? words().table.yes : words().table.no
    case 'value':
      return typeof cell.value === 'number' ? writeNumber(cell.value) : cell.value
    case 'list':
      return cell.cells.map(writeCell).join(', ')
    case 'time':
      return writeTime(cell)
    case 'place':
      return `${cell.latitude.toFixed(4)}, ${cell.longitude.toFixed(4)}`
    case 'image':
      return cell.src
    case 'nothing':
      return ''
  }
}
