import { fieldsOf, isObject, pointerTo } from '../../../src/lang/json.ts'
import type { Members } from '../../../src/lang/json.ts'

/** Path to a value of a record: `['Detail', 'it', 'Title']`. List indexes count from 0. */
export type Way = readonly string[]

/** An operation of JSON Patch (RFC 6902). */
export type Operation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/** Returns the JSON Pointer (RFC 6901) of a path. */
export function pointerOf(way: Way): string {
  return way.reduce(pointerTo, '')
}

export function valueAt(record: unknown, way: Way): unknown {
  return way.reduce<unknown>(
    (held, name) => (Array.isArray(held) ? held[Number(name)] : fieldsOf(held)[name]),
    record,
  )
}

/**
 * Returns the operations that turn one state into another. Lists of different length are replaced
 * as a whole.
 */
export function patchOf(before: unknown, after: unknown, path = ''): readonly Operation[] {
  if (isObject(before) && isObject(after)) {
    return namesOf(before, after).flatMap((name) => {
      const at = pointerTo(path, name)
      if (!Object.hasOwn(after, name)) return [{ op: 'remove', path: at } as const]
      if (!Object.hasOwn(before, name)) {
        return [{ op: 'add', path: at, value: after[name] } as const]
      }
      return patchOf(before[name], after[name], at)
    })
  }
  if (isList(before) && isList(after) && before.length === after.length) {
    return after.flatMap((one, index) => patchOf(before[index], one, pointerTo(path, index)))
  }
  return isSame(before, after) ? [] : [{ op: 'replace', path, value: after }]
}

/**
 * Applies the user's changes since `base` to a state that others have changed meanwhile. Undefined
 * denotes a missing value.
 */
export function mergeChanges({ base, mine, theirs }: Record<'base' | 'mine' | 'theirs', unknown>) {
  const merge = (was: unknown, own: unknown, other: unknown): unknown => {
    if (patchOf(was, own).length === 0 || isSame(was, own)) return other
    if (!isObject(own) || !isObject(other)) return own
    const known = fieldsOf(was)
    const merged = namesOf(other, own).map(
      (name) => [name, merge(known[name], own[name], other[name])] as const,
    )
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
  }
  return merge(base, mine, theirs)
}

/**
 * Returns a record with another value at a path. If the value is undefined, parents that it leaves
 * empty are removed, too.
 */
export function put(record: Members, way: Way, value: unknown): Members {
  return fieldsOf(putInto(record, way, value))
}

function putInto(held: unknown, [name, ...further]: Way, value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(held)) {
    return held.map((one: unknown, index) =>
      String(index) === name ? (putInto(one, further, value) ?? {}) : one,
    )
  }
  const { [name]: present, ...others } = fieldsOf(held)
  const next = putInto(present, further, value)
  if (next === undefined) return saysNothing(others) ? undefined : others
  return { ...fieldsOf(held), [name]: next }
}

/**
 * Reports whether an object holds nothing but `Language`, which only repeats the key that leads to
 * it.
 */
function saysNothing(members: Members): boolean {
  return Object.keys(members).every((name) => name === 'Language')
}

/**
 * Adds `Language` to the entry of a language that a path is about to create, if the entries of the
 * existing languages have it: `{ "it": { "Language": "it" } }`.
 */
export function beginLanguage(record: Members, way: Way): Members {
  const begun = way.findIndex((name, index) => {
    const held = valueAt(record, way.slice(0, index))
    const entries = Object.entries(fieldsOf(held))
    return (
      !Object.hasOwn(fieldsOf(held), name) &&
      entries.length > 0 &&
      entries.every(([language, entry]) => fieldsOf(entry)['Language'] === language)
    )
  })
  const language = way[begun]
  if (language === undefined) return record
  return put(record, [...way.slice(0, begun + 1), 'Language'], language)
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function namesOf(one: Members, other: Members): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
}
