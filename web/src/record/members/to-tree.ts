import { isMembers } from '../read/json.ts'
import type { Member } from '../../api/index.ts'
import type { Members } from '../read/json.ts'
import type { Described } from '../read/structures.ts'
import { readTexts } from '../read/texts.ts'

/** A field of a record with its nested fields. */
export type Node = {
  readonly name: string
  /** Path from the record: `['Detail', 'de', 'Title']`. */
  readonly way: readonly string[]
  /** Nested fields; undefined for a plain value. */
  readonly holds: readonly Node[] | undefined
  readonly isList: boolean
  readonly value: unknown
}

/**
 * Converts a JSON value to a tree, with fields sorted by name. Most records order them by length.
 */
export function toTree(value: unknown, way: readonly string[] = []): readonly Node[] {
  if (Array.isArray(value)) {
    return value.map((one, index) => toNode(`#${String(index + 1)}`, one, [...way, String(index)]))
  }
  if (!isMembers(value)) return []
  return Object.entries(value)
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b) || a.localeCompare(b, 'en'))
    .map(([name, one]) => toNode(name, one, [...way, name]))
}

/** Fields about the record itself come last. */
function rankOf(name: string): number {
  return name.startsWith('_') ? 1 : 0
}

function toNode(name: string, value: unknown, way: readonly string[]): Node {
  const isList = Array.isArray(value)
  const holds = isList || isMembers(value) ? toTree(value, way) : undefined
  return { name, way, isList, value, holds }
}

/** Reports whether a node contains no value. */
export function isEmpty({ value, holds }: Node): boolean {
  if (holds !== undefined) return holds.every(isEmpty)
  return value === null || value === undefined || value === ''
}

/**
 * Filters a tree by a text: keeps nodes whose name or value contains it, with everything below a
 * matching name.
 */
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

/** Counts the values in a tree. */
export function countValues(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { holds }) => sum + (holds === undefined ? 1 : countValues(holds)), 0)
}

/** A deprecated field: since when, until when, and its replacement. */
export type Deprecation = {
  readonly path: readonly string[]
  readonly since: string
  readonly removedAfter: string
  readonly description: string
  readonly replacement?: string
}

/** Returns the deprecations among the fields of an entity. */
export function readDeprecations(
  members: readonly Pick<Member, 'path' | 'deprecated'>[],
): readonly Deprecation[] {
  return members.flatMap(({ path, deprecated }) => {
    if (deprecated === null) return []
    const { since, removedAfter, description } = deprecated
    // Most descriptions only name the replacement, in English.
    const use = /^Use (?<path>[\w.]+)$/.exec(description)?.groups?.['path']
    const replacement = deprecated.replacement ?? use
    const told = { path: path.split('.'), since, removedAfter, description }
    return [replacement === undefined ? told : { ...told, replacement }]
  })
}

/** Returns the deprecation of the field at a path: `['GpsPoints', 'position', 'Latitude']`. */
export function deprecationAt(
  deprecations: readonly Deprecation[],
  way: readonly string[],
): Deprecation | undefined {
  return deprecations.find(
    ({ path }) =>
      path.length === way.length &&
      path.every((part, index) => part === way[index] || /^(\[\*\]|\{\w+\})$/.test(part)),
  )
}

/** Roles of fields that the overview of a record shows. */
const drawn: ReadonlySet<Member['role']> = new Set([
  ...(['id', 'address', 'name', 'meta', 'source', 'terms', 'changed', 'imported'] as const),
  ...(['language', 'publisher', 'status', 'tag', 'picture', 'opening', 'contact'] as const),
  ...(['texts', 'place', 'position', 'shape'] as const),
  ...(['location', 'dates', 'related'] as const),
])

/**
 * Returns the fields of a record that the overview does not show. Deprecated fields are included.
 */
export function otherMembers(of: Described): Members {
  const texts = readTexts(of).map(({ path }) => path)
  const shown = new Set([
    ...texts,
    ...of.members
      .filter(({ role, deprecated }) => drawn.has(role) && deprecated === null)
      .map(({ path }) => path.replace(/\.(\[\*\]|\{\w+\})$/, '')),
  ])
  return Object.fromEntries(Object.entries(of.record).filter(([name]) => !shown.has(name)))
}
