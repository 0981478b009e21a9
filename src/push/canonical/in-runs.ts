import type { Decoded } from '../decode.ts'

/** Neighbours that may be stored together, at least one. */
export type Run = readonly [Decoded, ...Decoded[]]

/** Items and deletions of a run; with more, fewer statements make no difference. */
const mostTogether = 1000

/**
 * Lines that stand side by side and differ in their `items` and `delete` only: a file with one record on
 * each line then takes no more statements than one with many. A line of anything else is by itself.
 */
export function* inRuns(decoded: Iterable<Decoded>): Iterable<Run> {
  let run: [Decoded, ...Decoded[]] | undefined
  let head: string | undefined
  let weight = 0
  for (const one of decoded) {
    const [ownHead, ownWeight] = [headOf(one), weightOf(one)]
    const fits = ownHead !== undefined && ownHead === head && weight + ownWeight <= mostTogether
    if (run !== undefined && fits) {
      run.push(one)
      weight += ownWeight
    } else {
      if (run !== undefined) yield run
      ;[run, head, weight] = [[one], ownHead, ownWeight]
    }
  }
  if (run !== undefined) yield run
}

/** What must be the same; undefined for what is no object, or has more in it than any kind. */
function headOf(decoded: Decoded): string | undefined {
  const object = toObject(decoded)
  if (object === undefined) return undefined
  const { items: _items, delete: _deletions, ...head } = object
  // What is nested deeply cannot be written again.
  const isFlat = Object.values(head).every(
    (member) =>
      typeof member !== 'object' || member === null || Object.values(member).every(isScalar),
  )
  return isFlat ? JSON.stringify(head) : undefined
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** A line without items counts too. */
function weightOf(decoded: Decoded): number {
  const { items, delete: deletions } = toObject(decoded) ?? {}
  return 1 + lengthOf(items) + lengthOf(deletions)
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

function toObject(decoded: Decoded): Readonly<Partial<Record<string, unknown>>> | undefined {
  if (decoded.kind === 'broken') return undefined
  const { value } = decoded
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined
}
