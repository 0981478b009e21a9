import type { ReadPlan } from './plan.ts'

/** Milliseconds: a year. */
const usual = 366 * 86_400_000

/** Whether a read may keep the database busy for seconds: it makes few rows of the values of years, or looks for few. */
export function isHeavy(
  { level: { range }, reduction, rows }: ReadPlan,
  { where }: { readonly where?: string },
): boolean {
  if (range === undefined || Date.parse(range.to) - Date.parse(range.from) <= usual) return false
  return reduction !== undefined || rows !== 'every' || where !== undefined
}
