import { address, change } from '../../address/index.ts'
import type { How } from '../../address/index.ts'
import { readQuery, writeQuery } from './address-of-query.ts'
import { filterNames, nextStep } from './dataset-query.ts'
import type { DatasetQuery, Step } from './dataset-query.ts'

export type BoundQuery = {
  readonly current: DatasetQuery
  /** The same object as long as no filter and no order changes, so that records are not requested anew. */
  readonly records: DatasetQuery
  /** A step of the history unless it goes on with the one before, as typing does; or as `how` says. */
  readonly change: (changed: Partial<DatasetQuery>, how?: How) => void
}

/** The query of a dataset view, which stands in the address. */
export function bindQuery(): BoundQuery {
  const current = $derived(readQuery(address.search))
  const written = $derived(
    JSON.stringify([...filterNames, 'sort' as const].map((name) => current[name])),
  )
  let kept: { readonly written: string; readonly query: DatasetQuery } | undefined
  const records = $derived.by(() => {
    if (kept?.written !== written) kept = { written, query: current }
    return kept.query
  })
  let step: Step | undefined
  return {
    get current() {
      return current
    },
    get records() {
      return records
    },
    change: (changed, how) => {
      const next = nextStep(step, changed, performance.now())
      step = next.step
      change((search) => {
        writeQuery(search, { ...readQuery(search), ...changed })
      }, how ?? next.how)
    },
  }
}
