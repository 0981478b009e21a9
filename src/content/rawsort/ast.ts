import type { Field } from '../rawfilter/index.ts'

export type SortKey = { readonly field: Field; readonly direction: 'ascending' | 'descending' }

/** A `rawsort` that was understood: the first key decides first. */
export type RawSort = { readonly keys: readonly SortKey[] }
