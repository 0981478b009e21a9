import { isMembers, listOf, textOf, membersOf, numberOf } from '../read/json.ts'

/** A changed field in readable form. */
type Change = {
  readonly kind: 'added' | 'removed' | 'changed'
  /** Path to the field: `['Detail', 'de', 'Title']`; list indexes count from 1. */
  readonly way: readonly string[]
  readonly before?: string
  readonly after?: string
}

/** Fields that change with every write. */
const always = /^(_Meta|LastChange)$/

/** Describes the changes that a JSON Patch (RFC 6902) made to a record, field by field. */
export function describeChanges(operations: unknown, before: unknown): readonly Change[] {
  return listOf(operations).flatMap((operation): readonly Change[] => {
    if (!isMembers(operation)) return []
    const way = wayOf(operation['path'])
    if (way[0] === undefined || always.test(way[0])) return []
    const old = valueOf(before, way)
    const next =
      operation['op'] === 'move' || operation['op'] === 'copy'
        ? valueOf(before, wayOf(operation['from']))
        : operation['value']
    if (operation['op'] === 'remove')
      return leaves(old, way).map(([at, text]) => ({
        kind: 'removed',
        way: named(at, before),
        before: text,
      }))
    if (operation['op'] === 'test') return []
    if (operation['op'] === 'add' || old === undefined)
      return leaves(next, way).map(([at, text]) => ({
        kind: 'added',
        way: named(at, before),
        after: text,
      }))
    return compare(old, next, way).map((change) => ({ ...change, way: named(change.way, before) }))
  })
}

/** Returns the fields in which two values differ. */
function compare(old: unknown, next: unknown, way: readonly string[]): readonly Change[] {
  const [before, after] = [leaves(old, way), leaves(next, way)]
  const find = (all: readonly Leaf[], at: readonly string[]) =>
    all.find(([one]) => one.join('/') === at.join('/'))?.[1]
  const gone = before.filter(([at]) => find(after, at) === undefined)
  return [
    ...after.flatMap(([at, is]): readonly Change[] => {
      const was = find(before, at)
      if (was === is) return []
      return [
        was === undefined
          ? { kind: 'added', way: at, after: is }
          : { kind: 'changed', way: at, before: was, after: is },
      ]
    }),
    ...gone.map(([at, was]) => ({ kind: 'removed', way: at, before: was }) as const),
  ]
}

type Leaf = readonly [way: readonly string[], text: string]

/**
 * Returns everything in a value that is neither an object nor a list, with its path. Empty objects
 * and lists count as well.
 */
function leaves(value: unknown, way: readonly string[]): readonly Leaf[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((one, index) => leaves(one, [...way, String(index)]))
  }
  if (isMembers(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, one]) => leaves(one, [...way, name]))
  }
  return [[way, writeValue(value)]]
}

/** Formats a value in one line. */
export function writeValue(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? (textOf(value) ?? '""') : JSON.stringify(value)
}

/** Splits a JSON Pointer (RFC 6901). */
function wayOf(pointer: unknown): readonly string[] {
  const parts = typeof pointer === 'string' ? pointer.split('/').slice(1) : []
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function valueOf(value: unknown, way: readonly string[]): unknown {
  return way.reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return at[Number(name)]
    return isMembers(at) ? at[name] : undefined
  }, value)
}

/** Numbers list indexes from 1; `-` is the end of a list. */
function named(way: readonly string[], record: unknown): readonly string[] {
  return way.map((part, index) => {
    const isPlace = /^(\d+|-)$/.test(part) && !isMembers(valueOf(record, way.slice(0, index)))
    if (!isPlace) return part
    return part === '-' ? '#' : `#${Number(part) + 1}`
  })
}

/** A version of a record in its history. */
export type Version = {
  readonly revision: number
  readonly at?: string
  readonly by?: string
  readonly source?: string
  /** JSON Patch from the previous version; undefined if it was not stored. */
  readonly operations?: readonly unknown[]
}

/** Maximum number of versions that are shown; older ones are available by request. */
export const mostVersions = 50

/** Parses a response of `/History` to versions, newest first. */
export function readVersions(answer: unknown): readonly Version[] {
  return listOf(membersOf(answer)['Items'])
    .filter(isMembers)
    .flatMap((item) => {
      const revision = numberOf(item['Revision'])
      if (revision === undefined) return []
      const [at, by, source] = ['LastUpdate', 'UpdatedBy', 'Source'].map((name) =>
        textOf(item[name]),
      )
      return [
        {
          revision,
          ...(at === undefined ? {} : { at }),
          ...(by === undefined ? {} : { by }),
          ...(source === undefined ? {} : { source }),
          ...(Array.isArray(item['Changes']) ? { operations: listOf(item['Changes']) } : {}),
        },
      ]
    })
    .toSorted((a, b) => b.revision - a.revision)
}
