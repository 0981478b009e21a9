import { sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'

/**
 * Many values of a column as one text, so that neither the driver nor the protocol has anything to do
 * for each: that takes longer than reading it.
 */
export type Packed = {
  readonly column: Sql
  readonly unpack: (text: string) => readonly (string | null)[]
}

/** Numbers: PostgreSQL writes no quotes around the elements of their arrays. */
export function packNumbers(expression: Sql): Packed {
  return { column: sql`array_agg(${expression})::text`, unpack: unpackNumbers }
}

/** Times, none of which is null: there is a blank in them, so each stands in quotes. */
export function packTimes(expression: Sql): Packed {
  return { column: sql`array_agg(${expression})::text`, unpack: unpackTimes }
}

/** JSON, in which PostgreSQL prints no line break; nothing is no JSON. */
export function packJson(expression: Sql): Packed {
  return {
    column: sql`string_agg(coalesce((${expression})::text, ''), chr(10))`,
    unpack: (text) => text.split('\n').map((json) => (json === '' ? null : json)),
  }
}

/** Numbers as PostgreSQL reads an array; the driver would put every one in quotes. */
export function arrayOf(numbers: readonly string[]): string {
  return `{${numbers.join(',')}}`
}

/** The elements of an array of numbers that are all there. */
export function unpackPlain(array: string): readonly string[] {
  return array.slice(1, -1).split(',')
}

export function unpackTimes(array: string): readonly string[] {
  return array.slice(2, -2).split('","')
}

function unpackNumbers(array: string): readonly (string | null)[] {
  const elements = unpackPlain(array)
  return array.includes('N')
    ? elements.map((element) => (element === 'NULL' ? null : element))
    : elements
}
