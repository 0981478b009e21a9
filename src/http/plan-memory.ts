import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/**
 * Characters of the longest cached key. Polled requests are shorter; a plan takes up to a hundred
 * times the memory of its text.
 */
const maxTextLength = 400

type PlanKey = {
  /** The part of the URL, and anything else, that determines the plan. */
  readonly text: string
  /** What the caller may see. Callers with the same rights share one object. */
  readonly rights: object
}

/**
 * Caches plans, so that a repeated request gets from its text to its plan by one lookup. A plan
 * must depend only on the text, the headers that choose its form, and the caller's rights.
 * @param most limit on cached plans, of 2 to 40 kB each
 */
export function rememberPlans<Plan extends object>(most: number) {
  const plans = new LRUCache<string, Plan>({ max: most })
  const numbers = new WeakMap<object, number>()
  let given = 0
  const numberOf = (rights: object) => {
    const known = numbers.get(rights) ?? ++given
    numbers.set(rights, known)
    return String(known)
  }
  return (
    { headers }: Pick<FastifyRequest, 'headers'>,
    { text, rights }: PlanKey,
    make: () => Plan,
  ): Plan => {
    const { accept = '', prefer = '' } = headers
    const key = [numberOf(rights), accept, String(prefer), text].join('\n')
    const known = plans.get(key)
    if (known !== undefined) return known
    const plan = make()
    if (key.length <= maxTextLength) plans.set(key, plan)
    return plan
  }
}
