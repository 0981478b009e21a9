import type { Transaction } from '../../storage/index.ts'
import type { Saving } from '../pipeline.ts'
import { onLine } from '../rejection.ts'
import type { Rejection } from '../rejection.ts'
import { checkScope, rememberClosed } from '../check-scope.ts'
import type { Target, Targets } from '../check-scope.ts'
import type { Fault, ItemPlace } from './check-items.ts'

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

type Context<Item> = { readonly covers: readonly Cover<Item>[]; readonly saving: Saving }

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
  { covers, saving }: Context<Item>,
): Promise<Covered<Item>> {
  const faults = new Map<number, Fault>()
  for (const cover of covers) {
    const targets = toTargets(cover, { items, deletions })
    const found = await checkScope(tx, { targets, of: cover.of }, saving)
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
