import type { ListPlan } from '../list/plan.ts'
import { arrayHints } from './array-hints.ts'
import { axesHints } from './axes-hints.ts'
import { loadCounts } from './load-counts.ts'
import type { Explaining } from './load-counts.ts'
import { partsOf } from './parts-of.ts'
import type { Counted, CountedClause, Part } from './parts-of.ts'
import { tagHints } from './tag-hints.ts'

/** A filter as it was understood, and what it leaves of the records that the caller may see. */
export type ExplainedPart = { readonly Canonical: string; readonly Matches: number }

export type ExplainedFilter = ExplainedPart & {
  readonly Parameter: string
  /** The conditions of which an expression consists, each by itself. */
  readonly Parts: readonly ExplainedPart[]
  /** What was perhaps meant. */
  readonly Hints: readonly string[]
}

/** What `explain=true` answers in place of the items. */
export type Explanation = {
  /** What all filters together leave. */
  readonly TotalResults: number
  /** What is there without any filter, for this caller. */
  readonly Visible: number
  readonly Filters: readonly ExplainedFilter[]
  /** What the records are ordered by; `-` means downwards. */
  readonly Order: readonly string[]
}

/**
 * Explains a planned list: its filters in canonical form, what each of them leaves alone, and hints.
 * Counts are made under the caller's rights, and in one statement, so that they belong together.
 */
export async function explainList(deps: Explaining, plan: ListPlan): Promise<Explanation> {
  const filters = plan.filters
    .filter(({ parameter }) => parameter !== 'rawsort')
    .map((clause) => ({ clause, parts: partsOf(clause, plan) }))
  const conditions = filters.flatMap(({ clause, parts }) => [clause, ...parts])
  const { visible, together, alone } = await loadCounts(deps, plan, conditions)
  let next = 0
  const explained: ExplainedFilter[] = []
  for (const { clause, parts } of filters) {
    const matches = alone[next] ?? 0
    const counted = parts.map((part, place) => ({ ...part, matches: alone[next + 1 + place] ?? 0 }))
    next += 1 + parts.length
    explained.push({
      Parameter: clause.parameter,
      Canonical: clause.text,
      Matches: matches,
      Parts: counted.map(toExplainedPart),
      Hints: await hintsFor(deps, plan, { ...clause, matches, parts: counted }),
    })
  }
  return { TotalResults: together, Visible: visible, Filters: explained, Order: orderOf(plan) }
}

function toExplainedPart({ text, matches }: Counted<Part>): ExplainedPart {
  return { Canonical: text, Matches: matches }
}

async function hintsFor(
  deps: Explaining,
  plan: ListPlan,
  clause: CountedClause,
): Promise<readonly string[]> {
  const hints = [tagHints, axesHints, arrayHints]
  const found: string[] = []
  for (const hint of hints) found.push(...(await hint(deps, plan, clause)))
  return found
}

function orderOf({ keys }: ListPlan): readonly string[] {
  return keys.map(({ name, direction }) => (direction === 'descending' ? `-${name}` : name))
}
