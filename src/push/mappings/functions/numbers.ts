import { ExpressionFault } from '../faults.ts'
import { isNothing, shown, textOf } from './values.ts'

const plain = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i

/**
 * A number from what providers write: numbers and texts such as `12,5`, `1.234,56`, `1 234.56` and
 * `1'234`. The last of two different separators is that of the decimals; a single one is, whether comma
 * or point. Where `decimal` says which of the two it is, the other one only parts thousands: `12.5` with decimal
 * commas is no number, rather than 125. Blank and null are nothing.
 * @throws ExpressionFault for what is no number
 */
export function toNumber(value: unknown, decimal?: unknown): number | undefined {
  if (isNothing(value)) return undefined
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  const text = textOf(value, 'num').trim()
  if (text === '') return undefined
  const number = Number(normalise(text, decimal))
  if (Number.isFinite(number)) return number
  throw new ExpressionFault(`${shown(value)} is no number`)
}

/** The same with a point before the decimals and nothing between thousands; `?` for what is neither. */
function normalise(text: string, decimal: unknown): string {
  const joined = text.replace(/(\d)[ '\u00A0\u202F\u2019](?=\d{3})/g, '$1')
  const isTold = decimal === ',' || decimal === '.'
  const mark = isTold ? decimal : lastMark(joined)
  const grouping = mark === ',' ? '.' : ','
  if (isTold && joined.includes(grouping) && !inThousands[grouping].test(joined)) return '?'
  const bare = joined.replaceAll(grouping, '').replace(mark, '.')
  return plain.test(bare) ? bare : '?'
}

const inThousands = {
  '.': /^[+-]?\d{1,3}(\.\d{3})+(,\d*)?$/,
  ',': /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/,
}

/** A mark that comes twice cannot be that of the decimals. */
function lastMark(text: string): ',' | '.' {
  const [comma, point] = [text.lastIndexOf(','), text.lastIndexOf('.')]
  if (point === -1) return text.indexOf(',') === comma ? ',' : '.'
  if (comma === -1) return text.indexOf('.') === point ? '.' : ','
  return comma > point ? ',' : '.'
}

/** A number between two bounds; either may be nothing. */
export function clamp(value: unknown, least: unknown, most: unknown): number | undefined {
  const number = toNumber(value)
  if (number === undefined) return undefined
  const [low, high] = [toNumber(least) ?? -Infinity, toNumber(most) ?? Infinity]
  return Math.min(Math.max(number, low), high)
}
