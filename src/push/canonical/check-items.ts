import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { schemaIssues } from '../../errors/index.ts'
import type { Issue } from '../../errors/index.ts'
import { findUnstorable } from '../../lang/json.ts'
import type { Rejection } from '../rejection.ts'

/** Keys of what storing an object writes, and of what it looks up. */
export type Footprint = {
  readonly writes: readonly string[]
  readonly reads: readonly string[]
}

/**
 * Footprint of an object that must be stored alone, because its effect depends on everything
 * stored.
 */
export const alone = 'alone'

/**
 * Groups neighbours into sets that may be stored at once, with the same outcome as one after
 * another: in a set, none writes what another one writes or reads.
 */
export function inSets<One>(
  ones: readonly One[],
  footprintOf: (one: One) => Footprint | typeof alone,
): readonly (readonly One[])[] {
  const sets: One[][] = []
  let [written, read] = [new Set<string>(), new Set<string>()]
  let isOpen = false
  for (const one of ones) {
    const footprint = footprintOf(one)
    const { writes, reads } = footprint === alone ? nothing : footprint
    const isApart =
      footprint === alone ||
      writes.some((key) => written.has(key) || read.has(key)) ||
      reads.some((key) => written.has(key))
    const last = sets.at(-1)
    if (isOpen && !isApart && last !== undefined) last.push(one)
    else {
      sets.push([one])
      ;[written, read] = [new Set(), new Set()]
    }
    for (const key of writes) written.add(key)
    for (const key of reads) read.add(key)
    isOpen = footprint !== alone
  }
  return sets
}

export const nothing: Footprint = { writes: [], reads: [] }

/** Position of an item: the line of its object, and its index among the items of the object. */
export type ItemPlace = { readonly line: number | undefined; readonly index: number }

/** A compiled schema, as a type guard. */
export type Guard<Proven> = {
  readonly Check: (value: unknown) => value is Proven
  readonly Errors: (value: unknown) => TLocalizedValidationError[]
  readonly Type: () => TSchema
}

export type Fault = Omit<Rejection, 'index' | 'line'>

/** Rules for the items of an object. */
export type Rules<Head, Item> = {
  readonly item: Guard<Item>
  /** Returns the faults of an item that its schema cannot express. */
  readonly checkItem?: (item: Item, message: Head) => readonly Fault[]
  /**
   * Reports whether `checkItem` would find no faults. Present if finding them takes much longer.
   */
  readonly takesItem?: (item: Item, message: Head) => boolean
  /**
   * Subject and content of the items. Of several items with the same subject in an object, the last
   * one wins.
   */
  readonly facts?: {
    readonly aboutOf: (items: readonly Item[]) => readonly (string | number)[]
    readonly saysOf: (item: Item) => unknown
  }
  /**
   * Returns warnings about a valid item: fields that are stored although they are not of the usual
   * type (decision D66), or unknown.
   */
  readonly warnOf?: (item: Item, message: Head) => readonly Fault[]
}

/** The valid items of an object with their positions, and what is wrong with the others. */
export type Checked<Item> = {
  readonly good: readonly { readonly index: number; readonly item: Item }[]
  readonly rejected: readonly Rejection[]
  /** Number of further invalid items. */
  readonly unlisted: number
  readonly warnings: readonly Rejection[]
}

/**
 * Maximum number of explained rejections; the rest is counted. Explaining is slow and nobody reads
 * more, so a flood of invalid items must not block the hub.
 */
const maxExplained = 10_000

/**
 * Number of warnings after which further items are not checked for any. The item that reaches it
 * may exceed it.
 */
const maxWarnings = 1_000

const below = (fault: Fault, pointer: string): Fault => ({
  ...fault,
  pointer: `${pointer}${fault.pointer ?? ''}`,
})

export function checkItems<Head extends { readonly items?: readonly unknown[] }, Item>(
  rules: Rules<Head, Item>,
  message: Head,
): Checked<Item> {
  const rejected: Rejection[] = []
  const warnings: Rejection[] = []
  const good: { readonly index: number; readonly item: Item }[] = []
  let unlisted = 0
  let unread = 0
  message.items?.forEach((item, index) => {
    const pointer = pointerOf(index)
    if (isSound(rules, item, message)) {
      good.push({ index, item })
      if (warnings.length >= maxWarnings) unread += 1
      else
        for (const fault of rules.warnOf?.(item, message) ?? []) {
          warnings.push({ index, ...below(fault, pointer) })
        }
    } else if (rejected.length < maxExplained) {
      const sent = { item, message, pointer }
      rejected.push({ index, ...firstFault(rules, sent) })
    } else unlisted += 1
  })
  if (unread > 0) {
    const reason = `${String(unread)} more items were accepted without a check for further warnings`
    warnings.push({ index: null, pointer: '/items', reason })
  }
  return { good, rejected, unlisted, warnings: [...warnings, ...replacedOf(rules, good)] }
}

/**
 * Returns a warning for each valid item that a later one with the same subject replaces by other
 * content.
 */
function replacedOf<Head, Item>(
  { facts }: Rules<Head, Item>,
  good: Checked<Item>['good'],
): readonly Rejection[] {
  if (facts === undefined) return []
  const about = facts.aboutOf(good.map(({ item }) => item))
  const lastAt = new Map(about.map((key, place) => [key, place]))
  if (lastAt.size === good.length) return []
  const said = good.map(({ item }) => facts.saysOf(item))
  return good.flatMap(({ index }, place) =>
    isDeepStrictEqual(said[lastAt.get(about[place] ?? '') ?? place], said[place])
      ? []
      : [{ index, pointer: pointerOf(index), reason: replaced }],
  )
}

const pointerOf = (index: number) => `/items/${String(index)}`

const replaced = 'is replaced by a later item with the same key in this message'

function isSound<Head, Item>(
  { item: guard, checkItem, takesItem }: Rules<Head, Item>,
  item: unknown,
  message: Head,
): item is Item {
  if (!guard.Check(item) || findUnstorable(item, '') !== undefined) return false
  if (takesItem !== undefined) return takesItem(item, message)
  return checkItem === undefined || checkItem(item, message).length === 0
}

type Sent<Head> = { readonly item: unknown; readonly message: Head; readonly pointer: string }

function firstFault<Head, Item>(
  { item: guard, checkItem }: Rules<Head, Item>,
  { item, message, pointer }: Sent<Head>,
): Fault {
  const faults = guard.Check(item)
    ? (checkItem?.(item, message) ?? []).map((fault) => below(fault, pointer))
    : faultsOf(guard.Errors(item), pointer)
  const [fault = { pointer, reason: 'is not a valid item' }] = faults
  return findUnstorable(item, pointer) ?? fault
}

export function faultsOf(errors: TLocalizedValidationError[], at = ''): readonly Fault[] {
  return schemaIssues(errors).map((issue) => below(toFault(issue), at))
}

export function toFault({ pointer = '', detail, expected }: Issue): Fault {
  const reason = expected === undefined ? detail : `${detail}; allowed: ${expected.join(', ')}`
  return { pointer, reason }
}
