import { any, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'

export type Profile = 'strict' | 'compatible'

type Drawing = {
  readonly profile: Profile
  /** A number from 0 on, below 1. */
  readonly random: () => number
}

/**
 * The seed that an order will have (decision D25). The compatible profile takes any number as the
 * public system does (reference content.md 3.11): 0 draws from 1 to 49, and numbers above 50 are divided
 * by ten until they are below; anything that is not a number shuffles too, but is not a seed to come back with.
 * @returns null where nothing is to be shuffled
 */
export function toSeed(
  wanted: string | number | undefined,
  { profile, random }: Drawing,
): Seed | null {
  if (wanted === undefined) return null
  const number = typeof wanted === 'number' ? wanted : Number(wanted)
  if (profile === 'strict') return known(number === 0 ? 1 + Math.floor(random() * 10) : number)
  if (!/^ *[+-]?\d{1,10} *$/.test(String(wanted))) return { text: '', shown: null }
  if (number === 0) return known(1 + Math.floor(random() * 49))
  return known(reduce(number))
}

export type Seed = {
  readonly text: string
  /** As the envelope shows it. */
  readonly shown: string | null
}

const known = (seed: number): Seed => ({ text: String(seed), shown: String(seed) })

function reduce(seed: number): number {
  return seed <= 50 ? seed : reduce(Math.floor(seed / 10))
}

/** The order that a seed gives: the same on every page and every node. */
export function seedKeys({ text }: Seed): readonly OrderKey[] {
  const value = sql`md5(id || ${text}::text) collate "C"`
  return [{ ...idKey, name: `seed ${text}`, value }, idKey]
}

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
