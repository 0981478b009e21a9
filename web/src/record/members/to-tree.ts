import { isMembers } from '../read/json.ts'

/** One member of a record, with those in it. */
export type Node = {
  readonly name: string
  /** From the record down: `['Detail', 'de', 'Title']`. */
  readonly way: readonly string[]
  /** What it holds, or its value as a text. */
  readonly holds: readonly Node[] | undefined
  readonly isList: boolean
  readonly value: unknown
}

/** A value and all that is in it; members by name, as most records order them by length. */
export function toTree(value: unknown, way: readonly string[] = []): readonly Node[] {
  if (Array.isArray(value)) {
    return value.map((one, index) => toNode(`#${String(index + 1)}`, one, [...way, String(index)]))
  }
  if (!isMembers(value)) return []
  return Object.entries(value)
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b) || a.localeCompare(b, 'en'))
    .map(([name, one]) => toNode(name, one, [...way, name]))
}

/** What the hub says of the record itself comes last. */
function rankOf(name: string): number {
  return name.startsWith('_') ? 1 : 0
}

function toNode(name: string, value: unknown, way: readonly string[]): Node {
  const isList = Array.isArray(value)
  const holds = isList || isMembers(value) ? toTree(value, way) : undefined
  return { name, way, isList, value, holds }
}

/** Whether there is nothing in it. */
export function isEmpty({ value, holds }: Node): boolean {
  if (holds !== undefined) return holds.every(isEmpty)
  return value === null || value === undefined || value === ''
}

/** What is left when only those are kept whose way or value holds a text; all of it under such a way. */
export function prune(nodes: readonly Node[], search: string): readonly Node[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return nodes
  return nodes.flatMap((node): readonly Node[] => {
    if (node.name.toLowerCase().includes(wanted)) return [node]
    if (node.holds === undefined) {
      return String(node.value).toLowerCase().includes(wanted) ? [node] : []
    }
    const holds = prune(node.holds, search)
    return holds.length === 0 ? [] : [{ ...node, holds }]
  })
}

/** How many values there are in it. */
export function countValues(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { holds }) => sum + (holds === undefined ? 1 : countValues(holds)), 0)
}
