import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { AppError } from '../../errors/index.ts'
import { findUnstorable } from '../../lang/json.ts'
import type { Clause, OrderKey } from '../entity.ts'

/** Start of a page: after the record with these values of the keys. */
export type Cursor = {
  /** Number of records before the page. */
  readonly seen: number
  /** Values of the keys of the order, as PostgreSQL prints them. */
  readonly values: readonly (string | null)[]
}

/** The list that a cursor belongs to. The cursor is not valid for any other list. */
type CursorList = {
  /** Entity of the records; undefined for a list that cannot be confused with another one. */
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

/** Prints a cursor as opaque text that is safe in a URL. */
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

/** Encodes a text in characters that are safe in a URL, after its checksum. */
function printText(text: string): string {
  return `${checksum(text)}${Buffer.from(text).toString('base64url')}`
}

/**
 * Parses a cursor.
 * @throws AppError HUB-QRY-012 for a text that no page returned, or a cursor of another list
 */
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

/**
 * Returns undefined for a text that is not JSON, because anyone can make a cursor with the right
 * checksum.
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const checksumLength = 12

/**
 * Detects cursors that were cut or changed in transit, so that none of them reaches the database.
 */
function checksum(text: string): string {
  return createHash('sha256').update(`cursor ${text}`).digest('base64url').slice(0, checksumLength)
}

/**
 * Checks whether PostgreSQL accepts a text as a value of a type. A rejected value would be an error
 * 500.
 */
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
  /^(?<year>\d{4,6})-(?<month>\d\d)-(?<day>\d\d) (?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,6})?[+-](?:0\d|1[0-4])(?::[0-5]\d){0,2}(?<era> BC)?$/

/** Reports whether a text is a timestamp as PostgreSQL prints it, of a day that exists. */
function isTimestamp(text: string): boolean {
  if (/^-?infinity$/.test(text)) return true
  const { year, month, day, era } = timestamp.exec(text)?.groups ?? {}
  const [named, index] = [Number(year), Number(month) - 1]
  const date = new Date(0)
  // The year before 1 is 1 BC, which `Date` counts as 0. PostgreSQL's times begin in 4714 BC.
  date.setUTCFullYear(era === undefined ? named : 1 - named, index, Number(day))
  if (date.getUTCMonth() !== index || date.getUTCDate() !== Number(day)) return false
  return named > 0 && (era === undefined || named < 4714)
}

function isDouble(text: string): boolean {
  if (/^-?Infinity$/.test(text)) return true
  if (!/^-?\d+(\.\d+)?(e[+-]\d{1,3})?$/.test(text)) return false
  const isZero = !/^[^e]*[1-9]/.test(text)
  return Number.isFinite(Number(text)) && (isZero || Number(text) !== 0)
}

function isJson(text: string): boolean {
  // Numbers with exponents of four digits overflow the type `numeric`.
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
