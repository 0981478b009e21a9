import type { How } from '../../address/index.ts'
import type { DatasetQuery } from './dataset-query.ts'

/** A change of the query, and when it was made. */
export type Step = { readonly names: string; readonly at: number }

/** What is typed, nudged or dragged comes in many small changes. */
const gradual: readonly (keyof DatasetQuery)[] = ['search', 'area', 'expression', 'parameters']

/** Milliseconds within which somebody still types. */
const pause = 3000

/** Whether a change is a step that one can go back from, or goes on with the one before. */
export function nextStep(
  before: Step | undefined,
  changed: Partial<DatasetQuery>,
  now: number,
): { readonly step: Step; readonly how: How } {
  const names = Object.keys(changed).join()
  const goesOn =
    before?.names === names && now - before.at < pause && gradual.some((name) => name === names)
  return { step: { names, at: now }, how: goesOn ? 'replace' : 'push' }
}
