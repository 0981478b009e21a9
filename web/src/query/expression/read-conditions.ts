import type { Conditions, ExpressionLanguage } from './conditions.ts'
import { readRawFilterConditions, writeRawFilter } from './content-conditions.ts'
import { readWhereConditions, writeWhere } from './station-conditions.ts'

/** The languages that filter, which rows can write. */
export type FilterLanguage = Extract<ExpressionLanguage, 'rawfilter' | 'where'>

/** The rows behind an expression, or undefined where it says more than rows can, or cannot be read. */
export function readConditions(language: FilterLanguage, text: string): Conditions | undefined {
  return language === 'where' ? readWhereConditions(text) : readRawFilterConditions(text)
}

/** The expression that rows say; rows that are not complete are left out. */
export function writeConditions(language: FilterLanguage, conditions: Conditions): string {
  return language === 'where' ? writeWhere(conditions) : writeRawFilter(conditions)
}
