import { quoteForRawFilter, quoteForWhere } from '../../dataset/query/index.ts'
import type { ExpressionLanguage, ValueKind } from './conditions.ts'

/** A value as an expression writes it. */
export function quoteValue(language: ExpressionLanguage, kind: ValueKind, value: string): string {
  if (kind === 'number' || kind === 'boolean') return value
  if (language === 'where') return kind === 'time' ? value : quoteForWhere(value)
  return kind === 'time' ? `dt${quoteForRawFilter(value)}` : quoteForRawFilter(value)
}
