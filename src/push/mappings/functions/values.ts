import { ExpressionFault } from '../faults.ts'

/** A value as a reason may show it: short, on one line. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** What an expression gave for one of the arguments of `$<name>`. @throws ExpressionFault */
export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new ExpressionFault(`$${name} takes texts and numbers, not ${shown(value)}`)
}

export function isNothing(value: unknown): value is undefined | null {
  return value === undefined || value === null
}
