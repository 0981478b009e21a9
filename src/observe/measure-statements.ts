import { LRUCache } from 'lru-cache'
import { Histogram } from 'prom-client'
import type { Registry } from 'prom-client'

/** The statements of one text, which carries no values. */
export type StatementShape = {
  readonly text: string
  readonly calls: number
  /** Of all calls together. */
  readonly seconds: number
  readonly longest: number
}

type Count = { calls: number; seconds: number; longest: number }

/** Seconds. */
const buckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 30]

const mostShapes = 500

/**
 * Measures every statement, by its shape, from when it is sent until it is answered: the wait for a connection
 * counts, because callers wait for it.
 */
export function measureStatements(registry: Registry) {
  const counts = new LRUCache<string, Count>({ max: mostShapes })
  const durations = new Histogram({
    name: 'hub_database_statement_seconds',
    help: 'Time from a statement to its result, with the wait for a connection',
    buckets,
    registers: [registry],
  })
  const note = (text: string, seconds: number) => {
    durations.observe(seconds)
    const count = counts.get(text)
    if (count === undefined) {
      counts.set(text, { calls: 1, seconds, longest: seconds })
      return
    }
    count.calls += 1
    count.seconds += seconds
    count.longest = Math.max(count.longest, seconds)
  }
  return {
    around: async <Result>(
      { text }: { readonly text: string },
      work: () => Promise<Result>,
    ): Promise<Result> => {
      const begun = performance.now()
      try {
        return await work()
      } finally {
        note(text, (performance.now() - begun) / 1000)
      }
    },
    /** Those that took the most time in all. */
    slowest: (most: number): readonly StatementShape[] =>
      [...counts.entries()]
        .map(([text, count]) => ({ text: text.replace(/\s+/g, ' ').trim(), ...count }))
        .sort((one, other) => other.seconds - one.seconds)
        .slice(0, most),
  }
}
