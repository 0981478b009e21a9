import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/** Each takes some 10 kB. */
const mostPlans = 500

type Asked = {
  /** What of the address shapes the plan, and whatever else does. */
  readonly text: string
  /** What the caller may see; callers with the same rights share one object. */
  readonly rights: object
}

/**
 * Remembers plans, so that a request that was seen before goes from its text to its plan by one look-up. A plan
 * follows from the text, the headers that choose its form, and the caller's rights; nothing else may be in it.
 */
export function rememberPlans<Plan extends object>() {
  const plans = new LRUCache<string, Plan>({ max: mostPlans })
  const numbers = new WeakMap<object, number>()
  let given = 0
  const numberOf = (rights: object) => {
    const known = numbers.get(rights) ?? ++given
    numbers.set(rights, known)
    return String(known)
  }
  return (
    { headers }: Pick<FastifyRequest, 'headers'>,
    { text, rights }: Asked,
    make: () => Plan,
  ): Plan => {
    const { accept = '', prefer = '' } = headers
    const key = [numberOf(rights), accept, String(prefer), text].join('\n')
    const known = plans.get(key)
    if (known !== undefined) return known
    const plan = make()
    plans.set(key, plan)
    return plan
  }
}
