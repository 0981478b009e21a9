import { address, change } from '../../address/index.ts'
import type { How } from '../../address/index.ts'
import { readQuery, writeQuery } from './address-of-query.ts'
import { filterNames } from './dataset-query.ts'
import type { DatasetQuery } from './dataset-query.ts'

export type BoundQuery = {
  readonly current: DatasetQuery
  /** The same object as long as no filter and no order changes, so that records are not asked for anew. */
  readonly records: DatasetQuery
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
  return {
    get current() {
      return current
    },
    get records() {
      return records
    },
    change: (changed, how = 'push') => {
      change((search) => {
        writeQuery(search, { ...readQuery(search), ...changed })
      }, how)
    },
  }
}
