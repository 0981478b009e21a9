import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize } from 'node:v8'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { sql } from '../../src/sql/index.ts'
import type { Sql } from '../../src/sql/index.ts'
import type { Database, TextRow } from '../../src/storage/index.ts'

/** A recorded statement with its values. */
export type Recorded = { readonly text: string; readonly values: readonly unknown[] }

/**
 * Statements that are not replayed: they change the database itself, show how a statement is run,
 * or take a predefined time.
 */
const apart =
  /^\s*(create|drop|alter|truncate|vacuum|analyze|copy|listen|unlisten|begin|commit|rollback|set|reset|discard|lock|explain|checkpoint)\b|pg_sleep|pg_terminate_backend|generate_series\(1, \$/i

/**
 * Statements whose rows change from moment to moment, depend on the server, or are cut among equal
 * times. Only the number of rows is compared.
 */
const volatile =
  /order by m\.valid_time( desc)? limit|now\(\)|clock_timestamp|random\(|gen_random_uuid|pg_current|pg_prepared|pg_snapshot|current_setting|pg_stat|pg_database|pg_control|pg_locks|pg_relation_size|pg_total_relation_size|xmin|version\(\)|ctid/i

const line = Type.Tuple([Type.String(), Type.Array(Type.Unknown())])

/** Number of consecutive words in a piece of a statement, without its values. */
const pieceWords = 5

/**
 * Returns every five consecutive words, so that new combinations of known pieces, as random tests
 * create them, add nothing new.
 */
function piecesOf(text: string): readonly string[] {
  const words =
    text
      .replaceAll(/\$\d+/g, '?')
      .replaceAll(/'[^']*'/g, "''")
      .match(/[\w."]+|[^\s\w]+/g) ?? []
  const count = Math.max(1, words.length - pieceWords + 1)
  return Array.from({ length: count }, (_, at) => words.slice(at, at + pieceWords).join(' '))
}

/** Selects statements that together contain every piece of all, preferring long ones. */
export function coverPieces(statements: readonly Recorded[]): readonly Recorded[] {
  const seen = new Set<string>()
  return statements
    .toSorted((a, b) => b.text.length - a.text.length)
    .filter(({ text }) => {
      const before = seen.size
      for (const piece of piecesOf(text)) seen.add(piece)
      return seen.size > before
    })
}

/** Loads the distinct statements from the files of a folder; none if the folder does not exist. */
export function loadStatements(folder: string): readonly Recorded[] {
  const values = new Map<string, readonly unknown[]>()
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    for (const base64 of readFileSync(join(folder, name), 'utf8').trim().split('\n')) {
      const [text, bound] = Parse(line, deserialize(Buffer.from(base64, 'base64')))
      if (!apart.test(text)) values.set(text, bound)
    }
  }
  return [...values].map(([text, bound]) => ({ text, values: bound }))
}

/** Converts to a statement. Each `$n` must occur once in the text, in order. */
export function toStatement({ text, values }: Recorded): Sql {
  const parts = text.split(/\$\d+/)
  return sql(Object.assign(parts, { raw: parts }), ...values)
}

/** Rows in a form in which both engines must agree, or the SQLSTATE of the error. */
export type Outcome = { readonly rows: readonly string[] } | { readonly refused: string }

class RolledBack extends Error {
  readonly rows: readonly TextRow[]

  constructor(rows: readonly TextRow[]) {
    super('rolled back')
    this.rows = rows
  }
}

/** Runs a statement in its own transaction and rolls it back. */
export async function replay(database: Database, recorded: Recorded): Promise<Outcome> {
  try {
    return await database.transaction(async (tx) => {
      throw new RolledBack(await tx.texts(toStatement(recorded)))
    })
  } catch (error) {
    if (error instanceof RolledBack) return { rows: comparable(recorded.text, error.rows) }
    if (!(error instanceof Error)) throw error
    return { refused: 'code' in error ? String(error.code) : error.message }
  }
}

/**
 * Makes rows comparable. Unordered rows are sorted, and so are the parts of each row, because an
 * aggregate has them in any order. Fractions are rounded to nine digits, because sums depend on
 * their order and distances on the version of PostGIS.
 */
function comparable(text: string, rows: readonly TextRow[]): readonly string[] {
  if (volatile.test(text)) return rows.map(() => 'a row')
  const texts = rows.map((row) =>
    JSON.stringify(row)
      .split(/(?:\\n|[,{}[\]"\\\s])+/)
      .map((part) => (fraction.test(part) ? Number(part).toPrecision(9) : part))
      .toSorted()
      .join(' '),
  )
  return isOrdered(text) ? texts : texts.toSorted()
}

const fraction = /^-?\d+\.\d+(e[+-]?\d+)?$/

/**
 * Reports whether two outcomes are equal. Fractions may differ by as much as rounding to nine
 * digits does.
 */
export function isSame(one: Outcome, other: Outcome): boolean {
  if ('refused' in one || 'refused' in other) return JSON.stringify(one) === JSON.stringify(other)
  const [a, b] = [one, other].map(({ rows }) => rows.flatMap((row) => [...row.split(' '), '\n']))
  if (a === undefined || b === undefined || a.length !== b.length) return false
  return a.every((part, index) => part === b[index] || isNear(part, b[index] ?? ''))
}

function isNear(one: string, other: string): boolean {
  if (!fraction.test(one) && !fraction.test(other)) return false
  const [a, b] = [Number(one), Number(other)]
  // A variance of equal values is 0 or close to it, depending on the order of the sum.
  return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * 1e-8 + 1e-6
}

/** Reports whether `order by` occurs outside of all parentheses. */
function isOrdered(text: string): boolean {
  let depth = 0
  for (const [part] of text.matchAll(/[()]|order by/gi)) {
    if (part === '(') depth += 1
    else if (part === ')') depth -= 1
    else if (depth === 0) return true
  }
  return false
}
