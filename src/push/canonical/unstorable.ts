import type { Rejection } from '../rejection.ts'

type Fault = Required<Pick<Rejection, 'pointer' | 'reason'>>

/** Deeper than any record of this field, and shallow enough for every parser on the way. */
const deepest = 100

/**
 * The first value inside `value` that JSON can write but the store could not give back unchanged:
 * the NUL character, half a surrogate pair, a number beyond double precision's range, endless depth.
 */
export function findUnstorable(value: unknown, pointer: string, depth = 0): Fault | undefined {
  if (depth > deepest) return { pointer, reason: `is nested deeper than ${String(deepest)} levels` }
  switch (typeof value) {
    case 'string':
      return faultOfText(value, pointer)
    case 'number':
      return Number.isFinite(value) ? undefined : { pointer, reason: 'is a number out of range' }
    case 'object':
      return value === null ? undefined : firstFault(value, pointer, depth + 1)
    default:
      return undefined
  }
}

function firstFault(parent: object, pointer: string, depth: number): Fault | undefined {
  for (const [name, member] of Object.entries(parent)) {
    const below = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const fault = faultOfText(name, below) ?? findUnstorable(member, below, depth)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultOfText(text: string, pointer: string): Fault | undefined {
  if (text.includes('\u0000')) return { pointer, reason: 'holds the NUL character' }
  if (!text.isWellFormed()) return { pointer, reason: 'holds half a surrogate pair' }
  return undefined
}
