import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/** Characters. What is polled is shorter; a plan takes up to a hundred times the memory of its text. */
const longestText = 400

type Asked = {
  /** The part of the address, and anything else, that shapes the plan. */
  readonly text: string
  /** What the caller may see; callers with the same rights share one object. */
  readonly rights: object
}

/**
 * Remembers plans, so that a request that was seen before goes from its text to its plan by one look-up. A plan
 * follows from the text, the headers that choose its form, and the caller's rights; nothing else may be in it.
 * @param most plans, of 2 to 40 kB each
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
    { text, rights }: Asked,
    make: () => Plan,
  ): Plan => {
    const { accept = '', prefer = '' } = headers
    const key = [numberOf(rights), accept, String(prefer), text].join('\n')
    const known = plans.get(key)
    if (known !== undefined) return known
    const plan = make()
    if (key.length <= longestText) plans.set(key, plan)
    return plan
  }
}
