import { sql } from '../../sql/index.ts'
import { idKey } from './order.ts'
import type { OrderKey } from './order.ts'

export type Profile = 'strict' | 'compatible'

type Drawing = {
  readonly profile: Profile
  /** A number from 0 on, below 1. */
  readonly random: () => number
}

/**
 * The seed that an order will have (decision D25). The compatible profile takes any number as the
 * public system does (reference content.md 3.11): 0 draws from 1 to 49, and numbers above 50 are divided
 * by ten until they are below; what is no number shuffles too, but is no seed to come back with.
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
