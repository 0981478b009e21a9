import { formatMeasured } from '../../language/index.ts'
import { words } from '../words.ts'
import type { Latest } from './latest.ts'

/** A value with its unit, as the language writes it. */
export function writeValue({ value, unit }: Pick<Latest, 'value' | 'unit'>): string {
  if (value === undefined) return words().live.none
  if (typeof value === 'string') return value
  const number = formatMeasured(value)
  return unit === '' ? number : `${number}\u202f${unit}`
}
