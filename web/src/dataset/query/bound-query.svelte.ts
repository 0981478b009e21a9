import { address, change } from '../../address/index.ts'
import type { How } from '../../address/index.ts'
import { readQuery, writeQuery } from './address-of-query.ts'
import { filterNames, nextStep } from './dataset-query.ts'
import type { DatasetQuery, Step } from './dataset-query.ts'

export type BoundQuery = {
  readonly current: DatasetQuery
  /**
   * The query for requests: the same object until a filter or the order changes, so that other
   * changes do not reload the records.
   */
  readonly records: DatasetQuery
  /**
   * Changes the query. It adds a history entry unless the change continues the previous one, as
   * typing does; `how` overrides that.
   */
  readonly change: (changed: Partial<DatasetQuery>, how?: How) => void
}

/** Binds the query of a dataset view to the URL. */
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
