import { createHistogram } from 'node:perf_hooks'
import type { Outcome } from './judge.ts'

/** Maximum number of failures that are kept as examples. All failures are counted. */
const maxExamples = 20

/** The results of a soak, by service. */
export class Tally {
  readonly outcomes = new Map<string, number>()
  readonly examples: string[] = []
  readonly #times = new Map<string, ReturnType<typeof createHistogram>>()

  /** @param milliseconds from the request to the end of the response */
  note(service: string, outcome: Outcome, milliseconds: number): void {
    this.count(service, outcome)
    if (outcome !== 'answered') return
    const times = this.#times.get(service) ?? createHistogram()
    this.#times.set(service, times)
    times.record(Math.max(1, Math.round(milliseconds * 1000)))
  }

  count(service: string, what: string): void {
    const key = `${service} ${what}`
    this.outcomes.set(key, (this.outcomes.get(key) ?? 0) + 1)
  }

  fail(text: string): void {
    if (this.examples.length < maxExamples) this.examples.push(text)
  }

  of(service: string, what: string): number {
    return this.outcomes.get(`${service} ${what}`) ?? 0
  }

  total(what: string): number {
    return [...this.outcomes]
      .filter(([key]) => key.endsWith(` ${what}`))
      .reduce((sum, [, count]) => sum + count, 0)
  }

  /** Returns a percentile of the response times, in milliseconds. */
  percentile(service: string, percent: number): number {
    const times = this.#times.get(service)
    return times === undefined ? 0 : times.percentile(percent) / 1000
  }

  get services(): readonly string[] {
    return [...this.#times.keys()].sort()
  }
}
