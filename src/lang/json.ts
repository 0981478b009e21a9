import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'

/** Values of JSON, read without trust: a value of another type counts as missing. */

export type Members = Readonly<Record<string, unknown>>

/** A list is none. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Members {
  return isObject(value) ? value : {}
}

/** The fields of the object that is written there. */
export function parseObject(text: string): Members {
  return fieldsOf(JSON.parse(text))
}

/** An object with each of its fields changed. */
export function mapFields(members: Members, map: (value: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]))
}

/** The objects of a list; none of anything else. */
export function objectsOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((item) => textOf(item) ?? []) : []
}

/** A text that is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** A number, also one that is written as a text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The JSON pointer of a field or an item (RFC 6901 section 3). */
export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The names in a JSON pointer. */
export function namesIn(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

type Typed = TSchema & { readonly type: string }

/** One `type` with two names, not a union: a wrong value then has one fault, at the right place. */
export const orNull = <Schema extends Typed>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })
