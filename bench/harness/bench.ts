import { compareSides, median } from './compare-sides.ts'
import type { Environment } from './environment.ts'

/** One measurement with a goal. */
export type Bench = {
  /**
   * Selects the bench on the command line, in full or up to a hyphen: `content` also runs
   * `content-list`.
   */
  readonly name: string
  readonly run: (environment: Environment) => Promise<Result>
}

/** One row of the table. Figures are already formatted. */
export type Result = {
  readonly title: string
  readonly goal: string
  readonly median: string
  /** The worst of all measurements. */
  readonly worst: string
  readonly holds: boolean
  /** The figures of the two sides, or anything else worth knowing. */
  readonly detail: string
}

type Comparison<Prepared> = {
  readonly name: string
  readonly title: string
  /** Minimum of the median of `ours` ÷ `limit`. If missing, the bench has no goal. */
  readonly goal?: number
  /** Unit of the rates that both sides return, such as `answers/s`. */
  readonly unit: string
  readonly prepare: (environment: Environment) => Promise<Prepared>
  /** Measures the hub once. */
  readonly ours: (prepared: Prepared) => Promise<number>
  /** Measures once what the database alone can do. */
  readonly limit: (prepared: Prepared) => Promise<number>
}

/** Creates a bench that compares the hub with its database in interleaved pairs. */
export function comparison<Prepared>(definition: Comparison<Prepared>): Bench {
  const { name, title, goal, unit, prepare, ours, limit } = definition
  return {
    name,
    run: async (environment) => {
      const prepared = await prepare(environment)
      const sides = await compareSides({
        ours: () => ours(prepared),
        limit: () => limit(prepared),
        onPair: (pair) => {
          environment.log(`${name}: ${rate(pair.ours)} of ${rate(pair.limit)} ${unit}`)
        },
      })
      return {
        title,
        goal: goal === undefined ? 'none' : `≥ ${goal.toFixed(2)}`,
        median: sides.median.toFixed(2),
        worst: sides.minimum.toFixed(2),
        holds: goal === undefined || sides.median >= goal,
        detail: `${rate(sides.ours)} of ${rate(sides.limit)} ${unit}`,
      }
    },
  }
}

type Ceiling = {
  readonly name: string
  readonly title: string
  /** Maximum of the median. */
  readonly goal: number
  readonly unit: string
  /** Returns all measurements, with other observations in `detail`. */
  readonly measure: (
    environment: Environment,
  ) => Promise<{ readonly values: readonly number[]; readonly detail: string }>
}

/** Creates a bench whose figure must stay below a bound. */
export function ceiling({ name, title, goal, unit, measure }: Ceiling): Bench {
  return {
    name,
    run: async (environment) => {
      const { values, detail } = await measure(environment)
      const middle = median(values)
      return {
        title,
        goal: `≤ ${rate(goal)} ${unit}`,
        median: `${rate(middle)} ${unit}`,
        worst: `${rate(Math.max(...values))} ${unit}`,
        holds: middle <= goal,
        detail,
      }
    },
  }
}

function rate(value: number): string {
  return Math.round(value).toLocaleString('en')
}
