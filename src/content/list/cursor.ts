import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { AppError } from '../../errors/index.ts'
import { findUnstorable } from '../../lang/json.ts'
import type { Clause, OrderKey } from '../entity.ts'

/** Where a page begins: behind the record with these values of the keys. */
export type Cursor = {
  /** How many records stand before. */
  readonly seen: number
  /** Of the keys of the order, as PostgreSQL writes them. */
  readonly values: readonly (string | null)[]
}

/** The list that a cursor goes through: in another one it says nothing. */
type CursorList = {
  /** Whose records it has; absent for a list that nothing else can be mistaken for. */
  readonly entity?: { readonly name: string }
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

function choiceOf({ entity, filters }: CursorList): string {
  return shorten([entity?.name, ...filters.map(({ parameter, text }) => [parameter, text])])
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
    throw refused('is not a cursor of this hub')
  }
  const parsed = parseJson(text)
  if (!content.Check(parsed)) throw refused('is not a cursor of this hub')
  const [order, choice, seen, values] = parsed
  const { keys } = list
  if (order !== orderOf(list) || values.length !== keys.length || !areValues(keys, values))
    throw refused('belongs to a list in another order')
  if (choice !== choiceOf(list))
    throw refused('belongs to another list, or to one with other filters')
  return { seen, values }
}

/** Undefined for a text that is not JSON: anyone can make a cursor with the right checksum. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const checksumLength = 12

/** Finds what was cut or changed on the way, so that nothing else reaches the database. */
function checksum(text: string): string {
  return createHash('sha256').update(`cursor ${text}`).digest('base64url').slice(0, checksumLength)
}

/** Whether PostgreSQL accepts a text as a value of a type: a refused one would be an error 500. */
const isValue: Readonly<Record<OrderKey['type'], (text: string) => boolean>> = {
  text: (text) => !text.includes('\0'),
  timestamptz: isTimestamp,
  'double precision': isDouble,
  integer: (text) => /^-?\d{1,10}$/.test(text) && Math.abs(Number(text)) < 2 ** 31,
  jsonb: isJson,
}

function areValues(keys: readonly OrderKey[], values: readonly (string | null)[]): boolean {
  return values.every((value, index) => {
    const type = keys[index]?.type ?? 'text'
    return value === null ? type === 'jsonb' : isValue[type](value)
  })
}

const timestamp =
  /^(?<year>\d{4,6})-(?<month>\d\d)-(?<day>\d\d) (?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,6})?[+-](?:0\d|1[0-4])(?::[0-5]\d){0,2}$/

/** A time as PostgreSQL writes it, of a day that exists. */
function isTimestamp(text: string): boolean {
  if (/^-?infinity$/.test(text)) return true
  const [year = 0, month = 0, day = 0] = Object.values(timestamp.exec(text)?.groups ?? {}).map(
    Number,
  )
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function isDouble(text: string): boolean {
  if (/^-?Infinity$/.test(text)) return true
  if (!/^-?\d+(\.\d+)?(e[+-]\d{1,3})?$/.test(text)) return false
  const isZero = !/^[^e]*[1-9]/.test(text)
  return Number.isFinite(Number(text)) && (isZero || Number(text) !== 0)
}

function isJson(text: string): boolean {
  // Beyond these, numbers overflow the type `numeric`.
  if (/\de[+-]?\d{4,}/i.test(text.replaceAll(/"(?:\\.|[^"\\])*"/g, ''))) return false
  try {
    return findUnstorable([JSON.parse(text)], '') === undefined
  } catch {
    return false
  }
}

function refused(detail: string): AppError {
  return new AppError('HUB-QRY-012', `cursor ${detail}.`, {
    issues: [{ parameter: 'cursor', detail, expected: ['the cursor of a Link header, unchanged'] }],
    hint: 'Start again without cursor, and follow the Link header with rel="next" of each page.',
  })
}
