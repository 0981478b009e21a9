import { AppError } from '../../errors/index.ts'
import { LanguageError, createCursor, toRegex } from '../../lang/index.ts'
import type { Cursor } from '../../lang/index.ts'
import type { Field, Segment } from './ast.ts'

const codes = { rawfilter: 'HUB-QRY-005', rawsort: 'HUB-QRY-006' } as const

/** Returns the error for a text that is not in the language of its parameter (decision D1). */
export function rejectedText(
  parameter: 'rawfilter' | 'rawsort',
  { message, position, expected, hint }: LanguageError,
): AppError {
  const advice = hint === undefined ? {} : { hint }
  return new AppError(codes[parameter], `${parameter}: ${message}`, {
    issues: [{ parameter, detail: message, position, expected, ...advice }],
    ...advice,
  })
}

/**
 * Limits of an expression (decision D35). PostgreSQL caches 32 regular expressions; with more of
 * them in one statement, it would compile them again for every row.
 */
export const limits = {
  characters: 4_000,
  depth: 20,
  terms: 200,
  segments: 20,
  regexes: 20,
} as const

/**
 * Returns a cursor on the text of a parameter.
 * @throws LanguageError if the text is too long
 */
export function openSource(source: string): Cursor {
  if (source.length > limits.characters) {
    const most = limits.characters.toLocaleString('en')
    throw new LanguageError(`The text is longer than ${most} characters.`, {
      position: limits.characters,
      expected: [`at most ${most} characters`],
    })
  }
  return createCursor(source)
}

export function skipBlanks(cursor: Cursor): void {
  cursor.match(/[ \t\r\n]*/y)
}

/** Accepts a punctuation character, with the whitespace around it, if it is next. */
export function acceptSign(cursor: Cursor, sign: '(' | ')' | ','): boolean {
  skipBlanks(cursor)
  if (!cursor.accept(sign)) return false
  skipBlanks(cursor)
  return true
}

/** Reads the whole next word, whether or not it has a meaning. */
export function readWord(cursor: Cursor): string | undefined {
  return cursor.match(/[\p{L}\d_@-]+/uy)
}

/** field = segment , { "." segment | each } */
export function readField(cursor: Cursor): Field {
  const start = cursor.position()
  const segments = [readSegment(cursor)]
  for (;;) {
    const previous = segments.at(-1)
    if (previous?.kind === 'name' && cursor.accept('[*]')) segments.push({ kind: 'each' })
    else if (cursor.accept('.')) segments.push(readSegment(cursor))
    else break
    if (segments.length > limits.segments) throw cursor.fail(`at most ${limits.segments} steps`)
  }
  if (cursor.accept('[')) throw bracketAfterName(cursor)
  return { segments, span: { start, end: cursor.position() } }
}

/** segment = "[*]" | "[]" | name */
function readSegment(cursor: Cursor): Segment {
  if (cursor.accept('[*]') || cursor.accept('[]')) return { kind: 'each' }
  const name = readWord(cursor)
  if (name === undefined) throw cursor.fail('a field such as Detail.en.Title')
  return { kind: 'name', name }
}

function bracketAfterName(cursor: Cursor): LanguageError {
  const position = cursor.position() - 1
  return new LanguageError(`Expected "[*]" or "." at position ${position}, found "[".`, {
    position,
    expected: ['"[*]"', '"."'],
    hint: 'Every element is Features.[*], the first one GpsInfo.0.',
  })
}

/** Returns the error with a hint. */
export function withHint(error: LanguageError, hint: string | undefined): LanguageError {
  const { message, position, expected } = error
  if (hint === undefined) return error
  return new LanguageError(message, { position, expected, hint })
}

/** A pattern of `likein`: a piece of text, or a regular expression (decision D35). */
type Pattern =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'regex'; readonly source: string }

/**
 * Parses a pattern. Between slashes it is a regular expression, which is returned as PostgreSQL
 * reads it.
 * @throws LanguageError for an expression that is malformed or could be slow
 */
export function toPattern(written: string): Pattern {
  if (!isRegex(written)) return { kind: 'text', text: written }
  return { kind: 'regex', source: toRegex(written.slice(1, -1)) }
}

/** Reports whether the pattern is between slashes. */
export function isRegex(written: string): boolean {
  return /^\/.+\/$/su.test(written)
}

/**
 * Checks a pattern whose quoted text starts at `position`.
 * @throws LanguageError for an invalid pattern, with the position in the filter
 */
export function assertPattern(written: string, position: number): void {
  try {
    toPattern(written)
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    const { message, expected, hint } = error
    // After the quote and the slash.
    const at = { position: position + 2 + error.position, expected }
    const text = `The regular expression cannot be read. ${message.replace(/ at position \d+/, '')}`
    throw new LanguageError(text, hint === undefined ? at : { ...at, hint })
  }
}

/** Numbers, which must not be followed by a character of a word. */
const decimal = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?![\p{L}\d_@.])/iuy
const hexadecimal = /[+-]?0x[\da-f]+(?:\.[\da-f]*)?(?:p[+-]?\d{1,4})?(?![\p{L}\d_@.])/iuy
const special = /[+-]?(?:infinity|inf|nan)(?![\p{L}\d_@.])/iuy

/** number = decimal | hexadecimal | "inf" | "nan", each with or without a sign (content.md 2.1). */
export function parseNumber(cursor: Cursor): number | undefined {
  const plain = cursor.match(decimal)
  if (plain !== undefined) return Number(plain)
  const hex = cursor.match(hexadecimal)
  if (hex !== undefined) return fromHexadecimal(hex.toLowerCase())
  const word = cursor.match(special)?.toLowerCase()
  if (word === undefined) return undefined
  if (word.endsWith('nan')) return NaN
  return word.startsWith('-') ? -Infinity : Infinity
}

/** Converts a number such as 0x1.8p3: hexadecimal digits, times a power of two. */
function fromHexadecimal(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1
  const [digits = '', power = '0'] = text.slice(text.indexOf('x') + 1).split('p')
  const [whole = '', fraction = ''] = digits.split('.')
  return sign * parseInt(whole + fraction, 16) * 2 ** (Number(power) - 4 * fraction.length)
}

/** Prints the shortest text that parses as the same number. */
export function printNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  return String(value)
}

export const timeForms = [
  'yyyy-MM-dd',
  'yyyy-MM-ddTHH:mm',
  'yyyy-MM-ddTHH:mm:ss(.ffffff)(Z|+HH:mm)',
]

// An unencoded "+" in a query arrives as a space. Fractions are as long as those that are found in
// records.
const form =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<seconds>[0-5]\d(?:\.\d{1,9})?))?(?<zone>Z|[+ -](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/

/**
 * Parses a date or time and normalizes it: to the second or finer, with a zone, by default UTC.
 * Undefined for any other text, and for days that do not exist.
 */
export function parseTime(written: string): string | undefined {
  const { date, time = '00:00', seconds = '00', zone = 'Z' } = form.exec(written)?.groups ?? {}
  if (date === undefined || !isDay(date)) return undefined
  return `${date}T${time}:${seconds}${toZone(zone)}`
}

function isDay(date: string): boolean {
  const moment = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date) && date >= '0001'
}

function toZone(zone: string): string {
  if (zone === 'Z') return zone
  const hours = zone.slice(0, 3).replace(' ', '+')
  return `${hours}:${zone.slice(3).replace(':', '') || '00'}`
}
