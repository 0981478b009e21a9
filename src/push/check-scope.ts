import type { PushScope } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Fault, ItemPlace } from './canonical/check-items.ts'
import { claim, loadNames, loadOwners, providerOf } from './owners.ts'
import type { Claim, NameSpace, Names, Owner } from './owners.ts'
import { onLine } from './rejection.ts'
import type { Rejection } from './rejection.ts'

/**
 * Checks the items of a message against the scope of the sender's push permission (decision D67).
 */

/** The stream of a message, and what the permission of its sender covers. */
export type Pushed = {
  /** `provider/dataset` */
  readonly stream: string
  /** Streams that share its mapping. What one of them wrote counts as written by all of them. */
  readonly alongside?: readonly string[]
  /** Undefined means unrestricted (role ADMIN). */
  readonly scope: PushScope | undefined
}

const ownStreams = ({ stream, alongside = [] }: Pushed) => [stream, ...alongside]

type StationList = {
  readonly stationType: string
  readonly origin: string | null
  readonly codes: readonly string[]
}

/**
 * Loads the active stations that are missing from a complete list, but that the sender may not
 * deactivate.
 */
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

/** The stored state of an object. */
export type Present = {
  readonly id: string
  /** Origin of a station or event, or source of a record. */
  readonly origin: string | null
  readonly closed: boolean
  /** Stream that owns the object if the object has no owner entry of its own. */
  readonly stream?: string
}

/** One object that an item or a deletion changes. */
type Target = {
  readonly id: string
  /** Origin or source that the message states. Undefined keeps the stored one. */
  readonly origin: string | null | undefined
  /**
   * Whether the message makes the object open data. Undefined keeps the stored state; a new object
   * is then open.
   */
  readonly isOpen: boolean | undefined
  readonly action: 'write' | 'delete'
}

/** Rules for checking the objects of one kind against the scope of a permission. */
export type Targets = {
  readonly kind: string
  /**
   * Namespace of the identifiers in the table of owners: `content/Poi`, `station/Parking`, `event`,
   * …
   */
  readonly space: string
  /** Names that the lists of the scope must contain. Otherwise the whole object is refused. */
  readonly within: Readonly<Partial<Record<'entities' | 'station_types', string>>>
  /** Kind of names that the objects have, and the list of the scope that allows them. */
  readonly names: { readonly space: NameSpace; readonly list: 'origins' | 'sources' }
  /**
   * Whether the stream becomes the owner of new objects. Values belong to their station instead.
   */
  readonly makesOwn: boolean
  readonly load: (tx: Transaction, ids: readonly string[]) => Promise<readonly Present[]>
}

type Known = {
  readonly present: ReadonlyMap<string, Present>
  readonly owners: ReadonlyMap<string, Owner>
  readonly names: Names
}

type Touched = { readonly targets: readonly Target[]; readonly of: Targets }

type Checked = {
  /** Why each target is refused, in the order of the targets. Undefined for a covered target. */
  readonly faults: readonly (Fault | undefined)[]
  /** Objects and names that the stream came to own during the check. */
  readonly claims: readonly Claim[]
}

/** Checks which targets a permission covers, and makes the stream the owner of the new ones. */
async function checkScope(tx: Transaction, touched: Touched, pushed: Pushed): Promise<Checked> {
  const { targets, of } = touched
  const { scope } = pushed
  // No look-up is needed: everything is covered, and nothing gets an owner.
  const isFree = scope === undefined && !of.makesOwn
  if (isFree || targets.length === 0) return { faults: targets.map(() => undefined), claims: [] }
  const whole = scope === undefined ? undefined : wholeFault(of, scope)
  if (whole !== undefined) return { faults: targets.map(() => whole), claims: [] }
  const judge = (known: Known) =>
    targets.map(
      (target) => scope && targetFault(target, { of, own: ownStreams(pushed), scope, known }),
    )
  const known = await loadKnown(tx, touched)
  const faults = judge(known)
  const covered = targets.filter((_, index) => faults[index] === undefined)
  const { claims, isLate } = await claimNew(tx, { targets: covered, of, known }, pushed)
  return { faults: isLate ? judge(await loadKnown(tx, touched)) : faults, claims }
}

async function loadKnown(tx: Transaction, { targets, of }: Touched): Promise<Known> {
  const ids = [...new Set(targets.map(({ id }) => id))]
  return {
    present: new Map((await of.load(tx, ids)).map((one) => [one.id, one])),
    owners: await loadOwners(tx, of.space, ids),
    names: await loadNames(tx, of.names.space, namesOf(targets)),
  }
}

function namesOf(targets: readonly Target[]): readonly string[] {
  const written = targets.filter(({ action }) => action === 'write')
  return [...new Set(written.flatMap(({ origin }) => origin ?? []))]
}

/**
 * Claims identifiers and names that have no owner. `isLate` reports that another transaction has
 * claimed some of them in the meantime.
 */
async function claimNew(
  tx: Transaction,
  { targets, of, known }: Touched & { readonly known: Known },
  { stream }: Pushed,
): Promise<{ readonly claims: readonly Claim[]; readonly isLate: boolean }> {
  const { present, owners, names } = known
  const written = targets.filter(({ action }) => action === 'write').map(({ id }) => id)
  const isNew = (id: string) => of.makesOwn && !present.has(id) && !owners.has(id)
  const freshIds = new Set(written.filter(isNew))
  const freshNames = namesOf(targets).filter((name) => !names.providers.has(name))
  const claims = [
    ...(await claim(tx, of.names.space, { ids: freshNames, stream })),
    ...(await claim(tx, of.space, { ids: freshIds, stream })),
  ]
  return { claims, isLate: claims.length < freshNames.length + freshIds.size }
}

/** Records that deleted items were closed, so that sending them again cannot open them. */
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
  /** The stream of the message, and the streams that share its mapping. */
  readonly own: readonly string[]
  readonly scope: PushScope
  readonly known: Known
}

function targetFault(target: Target, judging: Judging): Fault | undefined {
  const { scope, known, own, of } = judging
  const { present, owners } = known
  const stored = present.get(target.id)
  const owner = owners.get(target.id)
  const isOwn = own.includes(owner?.stream ?? stored?.stream ?? '')
  const isNamed = scope[of.names.list]?.includes(stored?.origin ?? '') === true
  const exists = stored !== undefined || owner !== undefined
  if (exists && !isOwn && !isNamed) return { reason: foreign }
  if (target.action === 'delete') {
    return !exists || isOwn || scope.may_delete ? undefined : { reason: notDeleted }
  }
  const wasClosed = stored === undefined ? owner?.closed === true : stored.closed
  const isOpen = target.isOpen ?? stored === undefined
  if (wasClosed && isOpen && !scope.may_publish_closed) return { reason: notOpened }
  const { origin } = target
  const stays = typeof origin !== 'string' || origin === stored?.origin
  return stays ? undefined : nameFault(origin, judging)
}

function nameFault(name: string, { of, own, scope, known }: Judging): Fault | undefined {
  const { space, list } = of.names
  const allowed = scope[list]
  if (allowed?.includes(name) === false) return { reason: notCovered(`the ${space} ${name}`) }
  const providers = own.map(providerOf)
  const provider = known.names.providers.get(name)
  if (provider === undefined) {
    const others = known.names.besides.get(name)?.find((one) => !providers.includes(one.provider))
    if (others === undefined) return undefined
    const [written, used] = [JSON.stringify(name), JSON.stringify(others.name)]
    return {
      reason: `is under the ${space} ${written}, which has the same URL as ${used}, which belongs to others`,
    }
  }
  if (allowed !== null || [name.toLowerCase(), provider].some((one) => providers.includes(one))) {
    return undefined
  }
  return { reason: `is under the ${space} ${JSON.stringify(name)}, which belongs to others` }
}

const notCovered = (what: string) => `is not covered by the permission to push: ${what}`
const foreign = 'belongs to others, and the permission to push does not cover it'
const notDeleted = 'was written by another stream, and the permission to push may not delete it'
const notOpened = 'is closed, and the permission to push may not open it'

/** How items and deletions translate to targets that the permission of the sender must cover. */
export type Cover<Item> = {
  readonly of: Targets
  /** Returns the target of an item. The default action is `write`. */
  readonly toTarget: (item: Item) => Omit<Target, 'action'> & Partial<Pick<Target, 'action'>>
  /**
   * Converts the identifier in a deletion to the stored one. Missing if such objects cannot be
   * deleted.
   */
  readonly toDeleted?: (id: string) => string
}

type SentItems<Item> = {
  readonly items: readonly { readonly item: Item; readonly place: ItemPlace }[]
  readonly deletions: readonly { readonly id: string; readonly place: ItemPlace }[]
}

type Context<Item> = { readonly covers: readonly Cover<Item>[]; readonly pushed: Pushed }

/** The part of a message that may be stored, and the part that the permission does not cover. */
type Covered<Item> = {
  readonly items: readonly Item[]
  readonly places: readonly ItemPlace[]
  readonly deletions: readonly string[]
  readonly refused: readonly Item[]
  readonly rejected: readonly Rejection[]
  /** Returns the claims that are not needed if only these items are stored. */
  readonly unused: (stored: readonly Item[]) => readonly Claim[]
}

/** Splits items and deletions into those that the permission of the sender covers and the rest. */
export async function sift<Item>(
  tx: Transaction,
  { items, deletions }: SentItems<Item>,
  { covers, pushed }: Context<Item>,
): Promise<Covered<Item>> {
  const { faults, claims } = await checkCovers(tx, { items, deletions }, { covers, pushed })
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
    unused: (stored) => unusedOf(claims, { covers, stored }),
  }
}

type Sifted = { readonly faults: ReadonlyMap<number, Fault>; readonly claims: readonly Claim[] }

/** Collects the claims, and the faults by position. Deletions are counted after all items. */
async function checkCovers<Item>(
  tx: Transaction,
  sent: SentItems<Item>,
  { covers, pushed }: Context<Item>,
): Promise<Sifted> {
  const faults = new Map<number, Fault>()
  const claims: Claim[] = []
  for (const cover of covers) {
    // A target that is already refused must not get an owner.
    const left = [...toTargets(cover, sent).entries()].filter(([index]) => !faults.has(index))
    const targets = left.map(([, target]) => target)
    const checked = await checkScope(tx, { targets, of: cover.of }, pushed)
    claims.push(...checked.claims)
    for (const [place, [index]] of left.entries()) {
      const fault = checked.faults[place]
      if (fault !== undefined) faults.set(index, fault)
    }
    const covered = targets.filter((_, place) => checked.faults[place] === undefined)
    await rememberDeleted(tx, cover, covered)
  }
  return { faults, claims }
}

function unusedOf<Item>(
  claims: readonly Claim[],
  { covers, stored }: Pick<Context<Item>, 'covers'> & { readonly stored: readonly Item[] },
): readonly Claim[] {
  if (claims.length === 0) return []
  const keyOf = ({ space, id }: Claim) => `${space} ${id}`
  const used = covers.flatMap(({ of, toTarget }) =>
    stored.map(toTarget).flatMap(({ id, origin }) => {
      const name = origin ?? undefined
      const own = keyOf({ space: of.space, id })
      return name === undefined ? [own] : [own, keyOf({ space: of.names.space, id: name })]
    }),
  )
  const known = new Set(used)
  return claims.filter((one) => !known.has(keyOf(one)))
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

async function rememberDeleted<Item>(
  tx: Transaction,
  { of }: Cover<Item>,
  targets: readonly Target[],
): Promise<void> {
  const deleted = targets.flatMap(({ id, action }) => (action === 'delete' ? [id] : []))
  if (deleted.length > 0) await rememberClosed(tx, of, deleted)
}
