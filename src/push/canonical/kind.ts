import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { schemaIssues } from '../../errors/index.ts'
import { findUnstorable } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import type { Part, Saving, Stored } from '../pipeline.ts'
import type { Rejection } from '../rejection.ts'
import { momentFault } from './members.ts'

/** One canonical format: `{"kind": …, …, "items": […]}`. */
export type Kind = {
  readonly name: string
  /** Schema of the object without its items, and of one item, for the documentation. */
  readonly schemas: { readonly message: TSchema; readonly item: TSchema }
  /** Checks an object of this kind. Pure. */
  readonly prepare: (message: object) => Part
}

/** A compiled schema, seen as what it proves. */
type Guard<Proven> = {
  readonly Check: (value: unknown) => value is Proven
  readonly Errors: (value: unknown) => TLocalizedValidationError[]
  readonly Type: () => TSchema
}

type Fault = Omit<Rejection, 'index' | 'line'>

/** Members that every canonical object may have. */
type Message = { readonly items?: readonly unknown[]; readonly recorded?: string }

type Definition<Head extends Message, Item> = {
  readonly name: string
  readonly message: Guard<Head>
  readonly item: Guard<Item>
  /** Faults of the object that its schema cannot express. */
  readonly checkMessage?: (message: Head) => readonly Fault[]
  /** Faults of an item that its schema cannot express. */
  readonly checkItem?: (item: Item, message: Head) => readonly Fault[]
  /** Stores the good items; rejections count positions among these, pointers begin at the item. */
  readonly store: (
    tx: Transaction,
    good: {
      readonly message: Head
      readonly items: readonly Item[]
      /** Where each of the items stood among all that were sent. */
      readonly positions: readonly number[]
    },
    saving: Saving,
  ) => Promise<Stored>
}

/** Makes a kind from its definition: object and items are checked, a bad item leaves the good alone. */
export function defineKind<Head extends Message, Item>(definition: Definition<Head, Item>): Kind {
  const { name, message, item, checkMessage } = definition
  return {
    name,
    schemas: { message: message.Type(), item: item.Type() },
    prepare: (sent) => {
      if (!message.Check(sent)) return refuse(faultsOf(message.Errors(sent)))
      const faults = [...headFaults(sent), ...(checkMessage?.(sent) ?? [])]
      return faults.length > 0 ? refuse(faults) : prepareItems(definition, sent)
    },
  }
}

/** Faults of an object of any kind that no schema can express. */
function headFaults({ items: _eachByItself, ...head }: Message): readonly Fault[] {
  const unstorable = findUnstorable(head, '')
  if (unstorable !== undefined) return [unstorable]
  const reason = head.recorded === undefined ? undefined : momentFault(head.recorded)
  return reason === undefined ? [] : [{ pointer: '/recorded', reason }]
}

/** Explaining is slow, and nobody reads so much: a flood of bad items must not hold up the hub. */
const mostExplained = 10_000

function prepareItems<Head extends Message, Item>(
  definition: Definition<Head, Item>,
  message: Head,
): Part {
  const rejected: Rejection[] = []
  const good: { readonly index: number; readonly item: Item }[] = []
  let unexplained = 0
  message.items?.forEach((item, index) => {
    if (isSound(definition, item, message)) good.push({ index, item })
    else if (rejected.length < mostExplained) {
      const sent = { item, message, pointer: `/items/${String(index)}` }
      rejected.push({ index, ...firstFault(definition, sent) })
    } else unexplained += 1
  })
  if (unexplained > 0) {
    const reason = `${String(unexplained)} more items are rejected without an explanation each`
    rejected.push({ index: null, pointer: '/items', reason })
  }
  return {
    rejected,
    recorded: message.recorded,
    store: async (tx, saving) => {
      const items = good.map(({ item }) => item)
      const positions = good.map(({ index }) => index)
      const outcome = await definition.store(tx, { message, items, positions }, saving)
      const placed = outcome.rejected.map((rejection) => toSentPosition(rejection, good))
      return { stored: outcome.stored, rejected: placed }
    },
  }
}

/** A rejection among the good items, at the position and pointer of the item as it was sent. */
function toSentPosition(
  { index, pointer = '', ...rest }: Rejection,
  good: readonly { readonly index: number }[],
): Rejection {
  const sent = index === null ? undefined : good[index]?.index
  if (sent === undefined) return { index, ...rest }
  return { index: sent, pointer: `/items/${String(sent)}${pointer}`, ...rest }
}

function isSound<Head extends Message, Item>(
  { item: guard, checkItem }: Definition<Head, Item>,
  item: unknown,
  message: Head,
): item is Item {
  if (!guard.Check(item) || findUnstorable(item, '') !== undefined) return false
  return checkItem === undefined || checkItem(item, message).length === 0
}

type Sent<Head> = { readonly item: unknown; readonly message: Head; readonly pointer: string }

/** What is wrong with an item that is not sound. */
function firstFault<Head extends Message, Item>(
  { item: guard, checkItem }: Definition<Head, Item>,
  { item, message, pointer }: Sent<Head>,
): Fault {
  const faults = guard.Check(item)
    ? (checkItem?.(item, message) ?? []).map((fault) => ({
        ...fault,
        pointer: `${pointer}${fault.pointer ?? ''}`,
      }))
    : faultsOf(guard.Errors(item), pointer)
  const [fault = { pointer, reason: 'cannot be taken' }] = faults
  return findUnstorable(item, pointer) ?? fault
}

function faultsOf(errors: TLocalizedValidationError[], below = ''): readonly Fault[] {
  return schemaIssues(errors).map(({ pointer, detail, expected }) => ({
    pointer: `${below}${pointer}`,
    reason: expected === undefined ? detail : `${detail}; allowed: ${expected.join(', ')}`,
  }))
}

/** A part of which nothing is taken. */
export function refuse(faults: readonly Fault[]): Part {
  return {
    rejected: faults.map((fault) => ({ index: null, ...fault })),
    recorded: undefined,
    store: () => Promise.resolve({ stored: 0, rejected: [] }),
  }
}
