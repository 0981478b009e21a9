import type { PushScope } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Fault, ItemPlace } from './canonical/check-items.ts'
import { claim, loadNames, loadOwners, providerOf } from './owners.ts'
import type { Claim, NameSpace, Names, Owner } from './owners.ts'
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
  /** Whose it is where it was never claimed by itself. */
  readonly stream?: string
}

/** What an item or a deletion of a message touches. */
type Target = {
  readonly id: string
  /** As the message states it; undefined where what is stored stays. */
  readonly origin: string | null | undefined
  /** Whether the message makes it open; undefined where it stays as it was, and what is new is open. */
  readonly isOpen: boolean | undefined
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
  readonly names: { readonly space: NameSpace; readonly list: 'origins' | 'sources' }
  /** Whether new items become the stream's own; values belong to their station. */
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
  /** Why each target is refused, in their order; undefined where it is covered. */
  readonly faults: readonly (Fault | undefined)[]
  /** What became the stream's own by this. */
  readonly claims: readonly Claim[]
}

/** Finds out which targets a permission covers, and makes the new ones of these the stream's own. */
async function checkScope(tx: Transaction, touched: Touched, pushed: Pushed): Promise<Checked> {
  const { targets, of } = touched
  const { scope } = pushed
  // Nothing to look up: all is covered, and nothing becomes anybody's own.
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

/** Claims what nobody has; late is who finds that others have claimed some of it meanwhile. */
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
  /** What became the stream's own by this, and is not needed if only these items are stored. */
  readonly unused: (stored: readonly Item[]) => readonly Claim[]
}

/** Parts items and deletions into those that the permission of the sender covers, and the others. */
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

/** The faults of items, and behind them of deletions, by their positions. */
async function checkCovers<Item>(
  tx: Transaction,
  sent: SentItems<Item>,
  { covers, pushed }: Context<Item>,
): Promise<Sifted> {
  const faults = new Map<number, Fault>()
  const claims: Claim[] = []
  for (const cover of covers) {
    // What is refused already must not become anybody's own.
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
