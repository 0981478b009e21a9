import { formatDate, formatDateTime, formatNumber, readTime } from '../../language/index.ts'
import type { Cell } from '../columns/to-cell.ts'
import { words } from '../words.ts'

/** Formats a number of a cell, with at most three decimals. */
export function writeNumber(value: number): string {
  return formatNumber(value, { maximumFractionDigits: 3 })
}

/** Formats a time of a cell: a day alone, or with the time of day. */
export function writeTime({ at, hasTime, isLocal }: Extract<Cell, { kind: 'time' }>): string {
  const inZone = isLocal ? ({ timeZone: 'UTC' } as const) : {}
  return hasTime ? formatDateTime(at, inZone) : formatDate(at, { dateStyle: 'medium', ...inZone })
}

/** Returns the full text of a cell: a time to the second, a value with its time. */
export function readCell(cell: Cell): string {
  if (cell.kind === 'time' && cell.hasTime) {
    const inZone = cell.isLocal ? ({ timeZone: 'UTC' } as const) : ({ timeStyle: 'long' } as const)
    return formatDateTime(cell.at, inZone)
  }
  if (cell.kind !== 'value') return writeCell(cell)
  const at = readTime(cell.at)
  const parts = [
    [writeCell(cell), cell.unit].filter((part) => part !== '').join(' '),
    at === undefined ? '' : formatDateTime(at, { timeStyle: 'long' }),
    cell.isOld ? words().table.old : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

/** Returns a cell as plain text, for places such as lists. */
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
