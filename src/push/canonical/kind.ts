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
  /** Schema of the object without its items, and of one item, for the documentation. */
  readonly schemas: { readonly message: TSchema; readonly item: TSchema }
  readonly check: (message: object) => Part
  /**
   * Checks objects that differ in their `items` and `delete` only, to be stored with few statements.
   * What becomes of each is the same as one after the other. Pure.
   */
  readonly checkTogether: (objects: readonly PlacedObject[]) => Part
  /** Items and deletions that are stored together at most. */
  readonly mostTogether: number
}

/** With more items in one statement, fewer statements make no difference. */
export const usualTogether = 1000

/** An object and its line, counted from 1, when the message is NDJSON. */
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
  /** `usualTogether` where it is left out. */
  readonly mostTogether?: number
  readonly message: Guard<Head>
  /** Faults of the object that its schema cannot express. */
  readonly checkMessage?: (message: Head) => readonly Fault[]
  /** What storing an object touches; left out where objects never get into each other's way. */
  readonly footprint?: (message: Head, items: readonly Item[]) => Footprint | typeof alone
  /** What of it the permission of the sender must cover (decision D67). */
  readonly covers: (message: Head, provider: string) => readonly Cover<Item>[]
  /** Stores the good items; rejections count positions among these, pointers begin at the item. */
  readonly store: (
    tx: Transaction,
    good: {
      /** The first of the objects. */
      readonly message: Head
      /** Of all of them; they differ in `items` and `delete` only. */
      readonly deletions: readonly string[]
      readonly items: readonly Item[]
      /** Where each of the items stood among all that were sent. */
      readonly places: readonly ItemPlace[]
      /** Those that the permission of the sender does not cover. */
      readonly refused: readonly Item[]
    },
    saving: Saving,
  ) => Promise<Stored>
}

/** Makes a kind from its definition: object and items are checked, a bad item leaves the good alone. */
export function defineKind<Head extends Message, Item>(definition: Definition<Head, Item>): Kind {
  const { name, message, item, mostTogether = usualTogether } = definition
  return {
    name,
    mostTogether,
    schemas: { message: message.Type(), item: item.Type() },
    check: (sent) => checkObjects(definition, [{ message: sent, line: undefined }]),
    checkTogether: (objects) => checkObjects(definition, objects),
  }
}

/** An object that is sound beside its items. */
type SoundObject<Head, Item> = Checked<Item> & {
  readonly message: Head
  readonly line: number | undefined
}

function checkObjects<Head extends Message, Item>(
  definition: Definition<Head, Item>,
  objects: readonly PlacedObject[],
): Part {
  const { footprint } = definition
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
  const sets = inSets(sound, ({ message, good }) =>
    footprint === undefined
      ? nothing
      : footprint(
          message,
          good.map(({ item }) => item),
        ),
  )
  return {
    lines: sound.map(({ line }) => line),
    rejected,
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

/** What was sent and rejected would count as missing. */
export const unproven: Rejection = {
  index: null,
  pointer: '/complete',
  reason: 'does not count, because some of the items were rejected: nothing is made inactive',
}

/** Faults of an object of any kind that no schema can express. */
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

/** A rejection among the good items, at the position and pointer of the item as it was sent. */
function toSentPosition(rejection: Rejection, places: readonly ItemPlace[]): Rejection {
  const { index, pointer = '', ...rest } = rejection
  const sent = index === null ? undefined : places[index]
  if (sent === undefined) return rejection
  const placed = { index: sent.index, pointer: `/items/${String(sent.index)}${pointer}`, ...rest }
  return onLine(placed, sent.line)
}

/** The `kind` of an object; an empty text where it has none. */
export function kindOf(value: unknown): string {
  const { kind } = fieldsOf(value)
  return typeof kind === 'string' ? kind : ''
}

/** A part of which nothing is taken: each of the lines has the same faults. */
export function refuse(faults: readonly Fault[], lines: readonly (number | undefined)[]): Part {
  return nothingOf(lines.flatMap((line) => whole(faults).map((one) => onLine(one, line))))
}

/** A part of which nothing is taken. */
export function nothingOf(rejected: readonly Rejection[]): Part {
  const store = () => Promise.resolve({ stored: 0, rejected: [] })
  return { lines: [], rejected, recorded: undefined, store }
}

/** Faults of an object beside its items. */
function whole(faults: readonly Fault[]): readonly Rejection[] {
  return faults.map((fault) => ({ index: null, ...fault }))
}

/** Stations, edges and events have an origin. */
export const origins = { space: 'origin', list: 'origins' } as const

/** Records have a source, and rooms that of their accommodation. */
export const sources = { space: 'source', list: 'sources' } as const

/** Stations of a type, or what belongs to them. */
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

/** What is wrong with a time that matches `zoned`; nothing with one that is missing. */
export function momentFaults(
  pointer: string,
  written: string | null | undefined,
): readonly Fault[] {
  const reason = typeof written === 'string' ? momentFault(written) : undefined
  return reason === undefined ? [] : [{ pointer, reason }]
}

/** It may name no moment, such as 31 February, or one that has more than four digits for its year in UTC. */
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

/** Of the month that a text begins with. */
function lastDayOf(written: string): number {
  return new Date(
    Date.UTC(Number(written.slice(0, 4)), Number(written.slice(5, 7)), 0),
  ).getUTCDate()
}

const firstMoment = Date.parse('0001-01-01T00:00:00Z')
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')

export const items = { items: Type.Optional(Type.Array(Type.Unknown())) }

/** Items, and the time that an ADMIN may give them. */
export const envelope = {
  ...items,
  recorded: Type.Optional(
    Type.String({ ...zoned, description: 'Transaction time; for the role ADMIN only' }),
  ),
}
