import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { AppError } from '../../errors/index.ts'
import type { Clause } from '../entity.ts'
import type { OrderKey } from './order.ts'

/** Where a page begins: behind the record with these values of the keys. */
export type Cursor = {
  /** How many records stand before. */
  readonly seen: number
  /** Of the keys of the order, as PostgreSQL writes them. */
  readonly values: readonly (string | null)[]
}

/** The list that a cursor goes through: in another one it says nothing. */
type CursorList = {
  readonly keys: readonly OrderKey[]
  readonly filters: readonly Clause[]
}

const content = Compile(
  Type.Tuple([
    Type.String(),
    Type.String(),
    Type.Integer({ minimum: 0 }),
    Type.Array(Type.Union([Type.String(), Type.Null()])),
  ]),
)

/** A cursor as callers see it: opaque, and safe in an address. */
export function printCursor(list: CursorList, { seen, values }: Cursor): string {
  return printText(JSON.stringify([orderOf(list), choiceOf(list), seen, values]))
}

function orderOf({ keys }: CursorList): string {
  return shorten(keys.map(({ name, direction }) => [name, direction]))
}

function choiceOf({ filters }: CursorList): string {
  return shorten(filters.map(({ parameter, text }) => [parameter, text]))
}

function shorten(names: unknown): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('base64url').slice(0, 8)
}

/** The text in letters that an address carries, behind its checksum. */
function printText(text: string): string {
  return `${checksum(text)}${Buffer.from(text).toString('base64url')}`
}

/** @throws AppError HUB-QRY-012 for a text that no page gave, or one of another list */
export function parseCursor(list: CursorList, cursor: string): Cursor {
  const text = Buffer.from(cursor.slice(checksumLength), 'base64url').toString()
  if (printText(text) !== cursor) {
    throw refused('is none that a page of this hub gave')
  }
  const parsed: unknown = JSON.parse(text)
  if (!content.Check(parsed)) throw refused('is none that a page of this hub gave')
  const [order, choice, seen, values] = parsed
  const { keys } = list
  if (order !== orderOf(list) || values.length !== keys.length || !areValues(keys, values))
    throw refused('belongs to a list in another order')
  if (choice !== choiceOf(list)) throw refused('belongs to a list with other filters')
  return { seen, values }
}

const checksumLength = 12

/** Finds what was cut or changed on the way, so that nothing else reaches the database. */
function checksum(text: string): string {
  return createHash('sha256').update(`cursor ${text}`).digest('base64url').slice(0, checksumLength)
}

const patterns: Readonly<Record<OrderKey['type'], RegExp>> = {
  text: /^[^\0]*$/,
  timestamptz: /^(-?infinity|\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d){0,2})$/,
  'double precision': /^(Infinity|-?\d+(\.\d+)?(e[+-]\d{1,3})?)$/,
  jsonb: /^[^\0]*$/,
}

function areValues(keys: readonly OrderKey[], values: readonly (string | null)[]): boolean {
  return values.every((value, index) => {
    const type = keys[index]?.type ?? 'text'
    if (value === null) return type === 'jsonb'
    return patterns[type].test(value) && (type !== 'jsonb' || isJson(value))
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return !/\\u0000/.test(text)
  } catch {
    return false
  }
}

function refused(detail: string): AppError {
  return new AppError('HUB-QRY-012', `cursor ${detail}.`, {
    issues: [{ parameter: 'cursor', detail, expected: ['the cursor of a Link header, unchanged'] }],
    hint: 'Begin again without cursor, and follow the Link header with rel="next" of each page.',
  })
}
