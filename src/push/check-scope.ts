import type { PushScope } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Fault, ItemPlace } from './canonical/check-items.ts'
import { onLine } from './rejection.ts'
import type { Rejection } from './rejection.ts'

/** What a push permission covers: checks the items of a message against its scope (decision D67). */

/** The stream of a message, and what the permission of its sender covers. */
export type Pushed = {
  /** `provider/dataset` */
  readonly stream: string
  /** Streams that share its mapping: what one of them wrote is the others' own, too. */
  readonly alongside?: readonly string[]
  /** Undefined: covers everything (role ADMIN). */
  readonly scope: PushScope | undefined
}

const ownStreams = ({ stream, alongside = [] }: Pushed) => [stream, ...alongside]

/** Whose an item is, and whether it was closed when it was deleted. */
type Owner = { readonly stream: string; readonly closed: boolean }

async function loadOwners(
  tx: Transaction,
  space: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Owner>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<Owner & { readonly id: string }>(sql`
    select id, stream, closed from push_owner
    where space = ${space} and id = any(${ids}::text[])`)
  return new Map(rows.map(({ id, ...owner }) => [id, owner]))
}

type Claim = { readonly stream: string }

/**
 * Makes new items the stream's own. Of two streams that send the same item at the same time, the second
 * waits here, and finds that it is the other's.
 */
async function claimItems(
  tx: Transaction,
  space: string,
  { ids, stream }: Claim & { readonly ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`
    insert into push_owner (space, id, stream)
    select ${space}, id, ${stream} from unnest(${[...ids].sort()}::text[]) as id
    on conflict do nothing`)
}

/** The same for origins or sources that nothing is stored under yet. */
async function claimNames(
  tx: Transaction,
  space: 'origin' | 'source',
  { names, stream }: Claim & { readonly names: readonly string[] },
): Promise<void> {
  if (names.length === 0) return
  const used =
    space === 'origin'
      ? sql`
        exists (select from station where origin = name)
        or exists (select from mobility_event where origin = name)`
      : sql`exists (select from content.source where id = name)`
  await tx.execute(sql`
    insert into push_owner (space, id, stream)
    select ${space}, name, ${stream} from unnest(${[...names].sort()}::text[]) as name
    where not exists (select from push_owner where space = ${space} and id = name)
      and not (${used})
    on conflict do nothing`)
}

type StationList = {
  readonly stationType: string
  readonly origin: string | null
  readonly codes: readonly string[]
}

/** The active stations that are missing from a complete list, and that the sender may not end. */
export async function loadForeignStations(
  tx: Transaction,
  { stationType, origin, codes }: StationList,
  pushed: Pushed,
): Promise<readonly string[]> {
  const { scope } = pushed
  if (scope === undefined) return []
  if (scope.may_complete && origin !== null && scope.origins?.includes(origin) === true) return []
  const rows = await tx.query<{ code: string }>(sql`
    select code from station
    where type = ${stationType} and origin is not distinct from ${origin}::text
      and active is distinct from false and code <> all(${codes}::text[])
      and not exists (
        select from push_owner
        where space = 'station/' || station.type and id = code and stream = any(${ownStreams(pushed)}::text[]))`)
  return rows.map(({ code }) => code)
}

/** What is stored under an identifier. */
export type Present = {
  readonly id: string
  /** Origin of a station or event, source of a record. */
  readonly origin: string | null
  readonly closed: boolean
}

/** What an item or a deletion of a message touches. */
type Target = {
  readonly id: string
  /** As the message states it; undefined where what is stored stays. */
  readonly origin: string | null | undefined
  /** Whether the message makes it open, or leaves it open. */
  readonly isOpen: boolean
  readonly action: 'write' | 'delete'
}

/** How what a kind of object writes is held against the scope of a permission. */
export type Targets = {
  readonly kind: string
  /** Of owners: `content/Poi`, `station/Parking`, `event`, … */
  readonly space: string
  /** The lists of the scope that must name something for the whole object to be covered. */
  readonly within: Readonly<Partial<Record<'entities' | 'station_types', string>>>
  /** Which names the kind has, and which list of the scope allows them. */
  readonly names: { readonly space: 'origin' | 'source'; readonly list: 'origins' | 'sources' }
  /** Whether new items become the stream's own; values belong to their station. */
  readonly makesOwn: boolean
  readonly load: (tx: Transaction, ids: readonly string[]) => Promise<readonly Present[]>
}

type Known = {
  readonly present: ReadonlyMap<string, Present>
  readonly owners: ReadonlyMap<string, Owner>
  /** Providers by the origin or source that they were the first to use. */
  readonly providers: ReadonlyMap<string, string>
}

/**
 * Finds out which targets a permission covers, and notes whose the new ones are from now on.
 * @returns why each is refused, in the order of the targets; undefined where it is covered
 */
async function checkScope(
  tx: Transaction,
  { targets, of }: { readonly targets: readonly Target[]; readonly of: Targets },
  pushed: Pushed,
): Promise<readonly (Fault | undefined)[]> {
  const { stream, scope } = pushed
  // Nothing to look up: all is covered, and nothing becomes anybody's own.
  if (scope === undefined && !of.makesOwn) return targets.map(() => undefined)
  if (targets.length === 0) return []
  const written = targets.filter(({ action }) => action === 'write')
  const names = [...new Set(written.flatMap(({ origin }) => origin ?? []))]
  const whole = scope === undefined ? undefined : wholeFault(of, scope)
  if (whole !== undefined) return targets.map(() => whole)
  const ids = [...new Set(targets.map(({ id }) => id))]
  const present = new Map((await of.load(tx, ids)).map((one) => [one.id, one]))
  const fresh = of.makesOwn ? written.map(({ id }) => id).filter((id) => !present.has(id)) : []
  await claimNames(tx, of.names.space, { names, stream })
  await claimItems(tx, of.space, { ids: fresh, stream })
  if (scope === undefined) return targets.map(() => undefined)
  const owners = await loadOwners(tx, of.space, ids)
  const nameOwners = await loadOwners(tx, of.names.space, names)
  const providers = new Map([...nameOwners].map(([name, one]) => [name, providerOf(one.stream)]))
  const known = { present, owners, providers }
  return targets.map((target) => targetFault(target, { of, own: ownStreams(pushed), scope, known }))
}

/** Notes that deleted items were closed, so that they cannot be opened by sending them again. */
async function rememberClosed(
  tx: Transaction,
  { space, load }: Targets,
  ids: readonly string[],
): Promise<void> {
  const closed = (await load(tx, ids)).flatMap((one) => (one.closed ? [one.id] : []))
  if (closed.length === 0) return
  await tx.execute(sql`
    update push_owner set closed = true where space = ${space} and id = any(${closed}::text[])`)
}

function wholeFault({ kind, within }: Targets, scope: PushScope): Fault | undefined {
  if (scope.kinds?.includes(kind) === false) return { reason: notCovered(`the kind ${kind}`) }
  for (const [list, name] of [
    ['entities', within.entities],
    ['station_types', within.station_types],
  ] as const) {
    if (name !== undefined && scope[list]?.includes(name) === false)
      return { reason: notCovered(name) }
  }
  return undefined
}

type Judging = {
  readonly of: Targets
  /** The stream, and those that share its mapping. */
  readonly own: readonly string[]
  readonly scope: PushScope
  readonly known: Known
}

function targetFault(target: Target, judging: Judging): Fault | undefined {
  const { scope, known, own, of } = judging
  const { present, owners } = known
  const stored = present.get(target.id)
  const owner = owners.get(target.id)
  const isOwn = own.includes(owner?.stream ?? '')
  const isNamed = scope[of.names.list]?.includes(stored?.origin ?? '') === true
  const exists = stored !== undefined || owner !== undefined
  if (exists && !isOwn && !isNamed) return { reason: foreign }
  if (target.action === 'delete') {
    return !exists || isOwn || scope.may_delete ? undefined : { reason: notDeleted }
  }
  const wasClosed = stored === undefined ? owner?.closed === true : stored.closed
  if (wasClosed && target.isOpen && !scope.may_publish_closed) return { reason: notOpened }
  const { origin } = target
  const stays = typeof origin !== 'string' || origin === stored?.origin
  return stays ? undefined : nameFault(origin, judging)
}

function nameFault(name: string, { of, own, scope, known }: Judging): Fault | undefined {
  const { space, list } = of.names
  const allowed = scope[list]
  if (allowed !== null) {
    return allowed.includes(name) ? undefined : { reason: notCovered(`the ${space} ${name}`) }
  }
  const providers = own.map(providerOf)
  return [name.toLowerCase(), known.providers.get(name) ?? ''].some((one) =>
    providers.includes(one),
  )
    ? undefined
    : { reason: `is under the ${space} ${JSON.stringify(name)}, which belongs to others` }
}

const providerOf = (stream: string) => (stream.split('/')[0] ?? stream).toLowerCase()

const notCovered = (what: string) => `is not covered by the permission to push: ${what}`
const foreign = 'belongs to others, and the permission to push does not cover it'
const notDeleted = 'was written by another stream, and the permission to push may not delete it'
const notOpened = 'is closed, and the permission to push may not open it'

/** What items touch that the permission of their sender must cover. */
export type Cover<Item> = {
  readonly of: Targets
  /** It is written, unless it says otherwise. */
  readonly toTarget: (item: Item) => Omit<Target, 'action'> & Partial<Pick<Target, 'action'>>
  /** The identifier that a deletion names; left out where nothing can be deleted. */
  readonly toDeleted?: (id: string) => string
}

type SentItems<Item> = {
  readonly items: readonly { readonly item: Item; readonly place: ItemPlace }[]
  readonly deletions: readonly { readonly id: string; readonly place: ItemPlace }[]
}

type Context<Item> = { readonly covers: readonly Cover<Item>[]; readonly pushed: Pushed }

/** What may be stored of a message, and what the permission of its sender does not cover. */
type Covered<Item> = {
  readonly items: readonly Item[]
  readonly places: readonly ItemPlace[]
  readonly deletions: readonly string[]
  readonly refused: readonly Item[]
  readonly rejected: readonly Rejection[]
}

/** Parts items and deletions into those that the permission of the sender covers, and the others. */
export async function sift<Item>(
  tx: Transaction,
  { items, deletions }: SentItems<Item>,
  { covers, pushed }: Context<Item>,
): Promise<Covered<Item>> {
  const faults = new Map<number, Fault>()
  for (const cover of covers) {
    const targets = toTargets(cover, { items, deletions })
    const found = await checkScope(tx, { targets, of: cover.of }, pushed)
    for (const [index, fault] of found.entries()) if (fault !== undefined) faults.set(index, fault)
    await rememberDeleted(tx, cover, { targets, faults })
  }
  const isCovered = (_: unknown, index: number) => !faults.has(index)
  const isLeft = (_: unknown, index: number) => !faults.has(items.length + index)
  const taken = items.filter(isCovered)
  const places = [
    ...items.map(({ place }) => ({ place, list: 'items' })),
    ...deletions.map(({ place }) => ({ place, list: 'delete' })),
  ]
  return {
    items: taken.map(({ item }) => item),
    places: taken.map(({ place }) => place),
    deletions: deletions.filter(isLeft).map(({ id }) => id),
    refused: items.filter((_, index) => faults.has(index)).map(({ item }) => item),
    rejected: places.flatMap(({ place: { line, index }, list }, at) => {
      const fault = faults.get(at)
      if (fault === undefined) return []
      return [onLine({ index, pointer: `/${list}/${String(index)}`, ...fault }, line)]
    }),
  }
}

function toTargets<Item>({ toTarget, toDeleted }: Cover<Item>, sent: SentItems<Item>) {
  const deleted = toDeleted === undefined ? [] : sent.deletions
  return [
    ...sent.items.map(({ item }) => ({ action: 'write' as const, ...toTarget(item) })),
    ...deleted.map(({ id }) => ({
      ...{ id: toDeleted?.(id) ?? id, origin: undefined },
      ...{ isOpen: false, action: 'delete' as const },
    })),
  ]
}

type Sifted = { readonly targets: readonly Target[]; readonly faults: ReadonlyMap<number, Fault> }

async function rememberDeleted<Item>(
  tx: Transaction,
  { of }: Cover<Item>,
  { targets, faults }: Sifted,
): Promise<void> {
  const deleted = targets.flatMap(({ id, action }, index) =>
    action === 'delete' && !faults.has(index) ? [id] : [],
  )
  if (deleted.length > 0) await rememberClosed(tx, of, deleted)
}
