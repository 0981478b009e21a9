import { any, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'

/** One thing that records are ordered by. */
export type OrderKey = {
  /** What the key is, as a cursor names it: the same name always means the same expression. */
  readonly name: string
  /** The value of a record that a cursor carries. */
  readonly value: Sql
  readonly type: 'text' | 'timestamptz' | 'double precision' | 'jsonb'
  /**
   * What is compared, made of the value of a record or of that of a cursor; the value itself where it
   * is absent. It is never null.
   */
  readonly comparable?: (value: Sql) => Sql
  readonly direction: 'ascending' | 'descending'
}

/** What ends every order, so that it is total (decision D4). */
export const idKey: OrderKey = { name: 'id', value: sql`id`, type: 'text', direction: 'ascending' }

const asItIs = (value: Sql) => value

/** The terms of an `order by`. */
export function orderBy(keys: readonly OrderKey[]): Sql {
  const terms = keys.map(({ value, comparable = asItIs, direction }) =>
    direction === 'ascending' ? comparable(value) : sql`${comparable(value)} desc`,
  )
  return join(terms, ', ')
}

const casts: Readonly<Record<OrderKey['type'], Sql>> = {
  text: sql`::text`,
  timestamptz: sql`::timestamptz`,
  'double precision': sql`::double precision`,
  jsonb: sql`::jsonb`,
}

/**
 * The condition that a record stands behind the one with these values. Where all keys go upwards, it
 * is one comparison of rows, which an index on the keys serves.
 * @param values of the keys, in their order, as texts
 */
export function standsBehind(keys: readonly OrderKey[], values: readonly (string | null)[]): Sql {
  const pairs = keys.map(({ value, type, comparable = asItIs, direction }, index) => ({
    own: comparable(value),
    other: comparable(sql`${values[index] ?? null}${casts[type]}`),
    direction,
  }))
  if (pairs.every(({ direction }) => direction === 'ascending')) {
    const own = pairs.map((pair) => pair.own)
    const other = pairs.map((pair) => pair.other)
    return sql`(${join(own, ', ')}) > (${join(other, ', ')})`
  }
  const steps = pairs.map(({ own, other, direction }, index) => {
    const same = pairs.slice(0, index).map((pair) => sql`${pair.own} = ${pair.other}`)
    const beyond = direction === 'ascending' ? sql`${own} > ${other}` : sql`${own} < ${other}`
    return sql`(${join([...same, beyond], ' and ')})`
  })
  return any(steps)
}
