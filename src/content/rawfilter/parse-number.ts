import type { Cursor } from '../../lang/index.ts'

/** A number stands alone: what follows it is no part of a word. */
const decimal = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?![\p{L}\d_@.])/iuy
const hexadecimal = /[+-]?0x[\da-f]+(?:\.[\da-f]*)?(?:p[+-]?\d{1,4})?(?![\p{L}\d_@.])/iuy
const special = /[+-]?(?:infinity|inf|nan)(?![\p{L}\d_@.])/iuy

/** number = decimal | hexadecimal | "inf" | "nan", each with or without a sign (content.md 2.1). */
export function parseNumber(cursor: Cursor): number | undefined {
  const plain = cursor.match(decimal)
  if (plain !== undefined) return Number(plain)
  const hex = cursor.match(hexadecimal)
  if (hex !== undefined) return fromHexadecimal(hex.toLowerCase())
  const word = cursor.match(special)?.toLowerCase()
  if (word === undefined) return undefined
  if (word.endsWith('nan')) return NaN
  return word.startsWith('-') ? -Infinity : Infinity
}

/** 0x1.8p3: hexadecimal digits, times a power of two. */
function fromHexadecimal(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1
  const [digits = '', power = '0'] = text.slice(text.indexOf('x') + 1).split('p')
  const [whole = '', fraction = ''] = digits.split('.')
  return sign * parseInt(whole + fraction, 16) * 2 ** (Number(power) - 4 * fraction.length)
}

/** The shortest text that reads as the same number. */
export function printNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  return String(value)
}
