import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { fieldsOf, findUnstorable } from '../../lang/json.ts'
import type { Transaction } from '../../storage/index.ts'
import { isPlainMoment, loadStoredStations, zoned } from '../../timeseries/index.ts'
import type { Part, Saving, Stored } from '../pipeline.ts'
import { sift } from '../check-scope.ts'
import type { Cover, Targets } from '../check-scope.ts'
import { release } from '../owners.ts'
import { onLine } from '../rejection.ts'
import type { Rejection } from '../rejection.ts'
import { checkItems, faultsOf, inSets, nothing } from './check-items.ts'
import type { Checked, Fault, Footprint, Guard, ItemPlace, Rules, alone } from './check-items.ts'

/** One canonical format: `{"kind": …, …, "items": […]}`. */
export type Kind = {
  readonly name: string
  /** Schemas of the object without its items, and of one item, for the documentation. */
  readonly schemas: { readonly message: TSchema; readonly item: TSchema }
  readonly check: (message: object) => Part
  /**
   * Checks objects that differ only in `items` and `delete`, to store them with few statements. The
   * outcome of each is the same as if they were stored one after another. Pure.
   */
  readonly checkTogether: (objects: readonly PlacedObject[]) => Part
  /** Maximum number of items and deletions that are stored together. */
  readonly maxBatch: number
}

/**
 * Default of `maxBatch`: with more items per statement, fewer statements make no difference.
 */
export const defaultMaxBatch = 1000

/** An object and its line, counted from 1, if the message is NDJSON. */
export type PlacedObject = { readonly message: object; readonly line: number | undefined }

/** Fields that every canonical object may have. */
type Message = {
  readonly items?: readonly unknown[]
  readonly recorded?: string
  readonly delete?: readonly string[]
  readonly complete?: boolean
}

type Definition<Head extends Message, Item> = Rules<Head, Item> & {
  readonly name: string
  /** Default: `defaultMaxBatch`. */
  readonly maxBatch?: number
  readonly message: Guard<Head>
  /** Returns the faults of the object that its schema cannot express. */
  readonly checkMessage?: (message: Head) => readonly Fault[]
  /** Returns what storing an object reads and writes. Missing if such objects never conflict. */
  readonly footprint?: (message: Head, items: readonly Item[]) => Footprint | typeof alone
  /** Returns what the permission of the sender must cover (decision D67). */
  readonly covers: (message: Head, provider: string) => readonly Cover<Item>[]
  /**
   * Stores the valid items. In rejections, positions count these items and pointers start at the
   * item.
   */
  readonly store: (
    tx: Transaction,
    good: {
      /** The first of the objects that are stored together. */
      readonly message: Head
      /** Deletions of all the objects, which differ only in `items` and `delete`. */
      readonly deletions: readonly string[]
      readonly items: readonly Item[]
      /** Position of each item among all that were sent. */
      readonly places: readonly ItemPlace[]
      /** Items that the permission of the sender does not cover. */
      readonly refused: readonly Item[]
    },
    saving: Saving,
  ) => Promise<Stored>
}

/**
 * Makes a kind from its definition. It checks the object and its items; an invalid item does not
 * affect the valid ones.
 */
export function defineKind<Head extends Message, Item>(definition: Definition<Head, Item>): Kind {
  const { name, message, item, maxBatch = defaultMaxBatch } = definition
  return {
    name,
    maxBatch,
    schemas: { message: message.Type(), item: item.Type() },
    check: (sent) => checkObjects(definition, [{ message: sent, line: undefined }]),
    checkTogether: (objects) => checkObjects(definition, objects),
  }
}

/** An object that is valid apart from its items. */
type SoundObject<Head, Item> = Checked<Item> & {
  readonly message: Head
  readonly line: number | undefined
}

function checkObjects<Head extends Message, Item>(
  definition: Definition<Head, Item>,
  objects: readonly PlacedObject[],
): Part {
  const rejected: Rejection[] = []
  const warnings: Rejection[] = []
  const sound: SoundObject<Head, Item>[] = []
  for (const { message, line } of objects) {
    const checked = checkObject(definition, message)
    for (const one of checked.rejected) rejected.push(onLine(one, line))
    if (checked.kind !== 'sound') continue
    sound.push({ ...checked, line })
    for (const one of checked.warnings) warnings.push(onLine(one, line))
  }
  const sets = setsOf(definition, sound)
  return {
    lines: sound.map(({ line }) => line),
    rejected,
    unlisted: sound.reduce((sum, { unlisted }) => sum + unlisted, 0),
    warnings,
    recorded: sound[0]?.message.recorded,
    store: async (tx, saving) => {
      const outcomes: Stored[] = []
      for (const set of sets) outcomes.push(await storeSet(definition, set, { tx, saving }))
      return {
        stored: outcomes.reduce((sum, { stored }) => sum + stored, 0),
        rejected: outcomes.flatMap((outcome) => outcome.rejected),
        warnings: outcomes.flatMap((outcome) => outcome.warnings ?? []),
        awaits: outcomes.some(({ awaits }) => awaits === true),
      }
    },
  }
}

/** Splits objects into sets that can be stored at once. */
function setsOf<Head extends Message, Item>(
  { footprint }: Definition<Head, Item>,
  sound: readonly SoundObject<Head, Item>[],
) {
  return inSets(sound, ({ message, good }) =>
    footprint === undefined
      ? nothing
      : footprint(
          message,
          good.map(({ item }) => item),
        ),
  )
}

type CheckedObject<Head, Item> =
  | (Checked<Item> & { readonly kind: 'sound'; readonly message: Head })
  | { readonly kind: 'refused'; readonly rejected: readonly Rejection[] }

function checkObject<Head extends Message, Item>(
  definition: Definition<Head, Item>,
  sent: object,
): CheckedObject<Head, Item> {
  const { message, checkMessage } = definition
  if (!message.Check(sent))
    return { kind: 'refused', rejected: whole(faultsOf(message.Errors(sent))) }
  const faults = [...headFaults(sent), ...(checkMessage?.(sent) ?? [])]
  if (faults.length > 0) return { kind: 'refused', rejected: whole(faults) }
  const checked = checkItems(definition, sent)
  if (sent.complete !== true || checked.rejected.length === 0)
    return { kind: 'sound', message: sent, ...checked }
  const warnings = [...checked.warnings, unproven]
  return { kind: 'sound', message: { ...sent, complete: false }, ...checked, warnings }
}

/**
 * Warning that `complete` is ignored, because items that were sent and rejected would count as
 * missing.
 */
export const unproven: Rejection = {
  index: null,
  pointer: '/complete',
  reason: 'does not count, because some of the items were rejected: nothing is made inactive',
}

/** Returns the faults that no schema can express, and that objects of any kind may have. */
function headFaults({ items: _eachByItself, ...head }: Message): readonly Fault[] {
  const unstorable = findUnstorable(head, '')
  if (unstorable !== undefined) return [unstorable]
  return momentFaults('/recorded', head.recorded)
}

async function storeSet<Head extends Message, Item>(
  { store, covers }: Definition<Head, Item>,
  set: readonly SoundObject<Head, Item>[],
  { tx, saving }: { readonly tx: Transaction; readonly saving: Saving },
): Promise<Stored> {
  const message = set[0]?.message
  if (message === undefined) return { stored: 0, rejected: [] }
  const sent = {
    items: set.flatMap(({ good, line }) =>
      good.map(({ index, item }) => ({ item, place: { line, index } })),
    ),
    deletions: set.flatMap(({ message: { delete: ids = [] }, line }) =>
      ids.map((id, index) => ({ id, place: { line, index } })),
    ),
  }
  const covered = await sift(tx, sent, { covers: covers(message, saving.provider), pushed: saving })
  const { items, places, deletions, refused } = covered
  const outcome = await store(tx, { message, deletions, items, places, refused }, saving)
  const lost = new Set(outcome.rejected.map(({ index }) => index))
  await release(tx, covered.unused(items.filter((_, index) => !lost.has(index))))
  const toSent = (one: Rejection) => toSentPosition(one, places)
  const rejected = [...covered.rejected, ...outcome.rejected.map(toSent)]
  return { ...outcome, rejected, warnings: (outcome.warnings ?? []).map(toSent) }
}

/** Converts a rejection of a valid item to the position and pointer of the item as it was sent. */
function toSentPosition(rejection: Rejection, places: readonly ItemPlace[]): Rejection {
  const { index, pointer = '', ...rest } = rejection
  const sent = index === null ? undefined : places[index]
  if (sent === undefined) return rejection
  const placed = { index: sent.index, pointer: `/items/${String(sent.index)}${pointer}`, ...rest }
  return onLine(placed, sent.line)
}

/** Returns the `kind` of an object, or an empty string if it has none. */
export function kindOf(value: unknown): string {
  const { kind } = fieldsOf(value)
  return typeof kind === 'string' ? kind : ''
}

/** Makes a part of which nothing is stored: each of the lines has the same faults. */
export function refuse(faults: readonly Fault[], lines: readonly (number | undefined)[]): Part {
  return nothingOf(lines.flatMap((line) => whole(faults).map((one) => onLine(one, line))))
}

/** Makes a part of which nothing is stored. */
export function nothingOf(rejected: readonly Rejection[]): Part {
  const store = () => Promise.resolve({ stored: 0, rejected: [] })
  return { lines: [], rejected, recorded: undefined, store }
}

/** Makes rejections of a whole object. */
function whole(faults: readonly Fault[]): readonly Rejection[] {
  return faults.map((fault) => ({ index: null, ...fault }))
}

/** Names that stations, edges and events have: origins. */
export const origins = { space: 'origin', list: 'origins' } as const

/** Names that records have, and rooms by their accommodation: sources. */
export const sources = { space: 'source', list: 'sources' } as const

/** Returns the rules for checking stations of a type, or what belongs to them. */
export function stationTargets(
  type: string,
  { kind, makesOwn }: Pick<Targets, 'kind' | 'makesOwn'>,
): Targets {
  return {
    ...{ kind, makesOwn, names: origins },
    space: `station/${type}`,
    within: { station_types: type },
    load: (tx, codes) => loadStoredStations(tx, type, codes),
  }
}

/** Returns the faults of a time that matches `zoned`. A missing time has none. */
export function momentFaults(
  pointer: string,
  written: string | null | undefined,
): readonly Fault[] {
  const reason = typeof written === 'string' ? momentFault(written) : undefined
  return reason === undefined ? [] : [{ pointer, reason }]
}

/**
 * Returns what is wrong with a time: it does not exist, such as 31 February, or its year in UTC
 * does not have four digits.
 */
function momentFault(written: string): string | undefined {
  if (isPlainMoment(written)) return undefined
  const isUtc = written.endsWith('Z')
  const moment = Date.parse(isUtc ? written : written.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  const day = Number(written.slice(8, 10))
  if (Number.isNaN(moment) || (day > 28 && day > lastDayOf(written))) {
    return 'is not a time that exists'
  }
  return moment < firstMoment || moment > lastMoment
    ? 'is outside of the years 0001 to 9999'
    : undefined
}

/** Returns the last day of the month with which a text starts. */
function lastDayOf(written: string): number {
  return new Date(
    Date.UTC(Number(written.slice(0, 4)), Number(written.slice(5, 7)), 0),
  ).getUTCDate()
}

const firstMoment = Date.parse('0001-01-01T00:00:00Z')
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')

export const items = { items: Type.Optional(Type.Array(Type.Unknown())) }

/** Items, and the transaction time that an ADMIN may give them. */
export const envelope = {
  ...items,
  recorded: Type.Optional(
    Type.String({ ...zoned, description: 'Transaction time; for the role ADMIN only' }),
  ),
}
