import type { PlacedObject } from './mapper.ts'

/** Where an item of a joined object came from. */
export type ItemSource = {
  /** Of the payload; null for what comes before its items. */
  readonly source: number | null
  /** Position in the canonical object that the item became. */
  readonly index: number
}

/** Canonical objects that differ in their items only, as one. */
export type JoinedObject = {
  readonly message: object
  /** Of each of its items. */
  readonly sources: readonly ItemSource[]
  /** Of the objects that were joined. */
  readonly objects: readonly (number | null)[]
}

/** What others refer to comes first, and what is wrong goes before what is right comes. */
const order = [
  'delete',
  'dataTypes',
  'stations',
  'edges',
  'measurements',
  'events',
  'content',
  'availability',
]

/** More are stored in several objects: a statement must not have any number of rows. */
const mostItems = 2000

type Group = {
  readonly head: object
  readonly items: unknown[]
  readonly deletions: unknown[]
  readonly sources: ItemSource[]
  readonly objects: (number | null)[]
}

/**
 * Joins the objects that the items of a payload became, in an order in which each finds what it refers to;
 * of a kind the objects stay in the order in which they begin. What is no canonical object stays alone.
 */
export function groupObjects(objects: readonly PlacedObject[]): readonly JoinedObject[] {
  const groups = new Map<string, Group>()
  objects.forEach((placed, number) => {
    const { items, delete: deletions, ...head } = toObject(placed.value)
    const isPlain = isListOrNothing(items) && isListOrNothing(deletions)
    const key = isPlain ? JSON.stringify(head) : String(number)
    const group = groups.get(key) ?? begin(isPlain ? head : { ...head, items, delete: deletions })
    groups.set(key, group)
    group.objects.push(placed.source)
    if (isPlain) add(group, placed.source, { items, deletions })
  })
  const all = [...groups.values()].map((group) => ({ group, rank: rankOf(group.head) }))
  return all.toSorted((one, other) => one.rank - other.rank).flatMap(({ group }) => finish(group))
}

type Members = Readonly<{ items?: unknown; delete?: unknown }>

function toObject(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function isListOrNothing(value: unknown): value is readonly unknown[] | undefined {
  return value === undefined || Array.isArray(value)
}

function begin(head: object): Group {
  return { head, items: [], deletions: [], sources: [], objects: [] }
}

type Lists = {
  readonly items: readonly unknown[] | undefined
  readonly deletions: readonly unknown[] | undefined
}

function add(group: Group, source: number | null, { items = [], deletions = [] }: Lists): void {
  items.forEach((item, index) => {
    group.items.push(item)
    group.sources.push({ source, index })
  })
  for (const deletion of deletions) group.deletions.push(deletion)
}

function rankOf(head: object): number {
  const rank = 'kind' in head && typeof head.kind === 'string' ? order.indexOf(head.kind) : -1
  return rank === -1 ? order.length : rank
}

/** What says that it is complete cannot be parted; deletions are done last. */
function finish(group: Group): readonly JoinedObject[] {
  const { head, items, deletions, sources, objects } = group
  const size = 'complete' in head ? Math.max(1, items.length) : mostItems
  const count = Math.max(1, Math.ceil(items.length / size))
  return Array.from({ length: count }, (_, part) => {
    const [from, to] = [part * size, (part + 1) * size]
    const isLast = part === count - 1
    return {
      message: {
        ...head,
        ...(items.length === 0 ? {} : { items: items.slice(from, to) }),
        ...(deletions.length === 0 || !isLast ? {} : { delete: deletions }),
      },
      sources: sources.slice(from, to),
      objects:
        count === 1 ? objects : [...new Set(sources.slice(from, to).map(({ source }) => source))],
    }
  })
}
