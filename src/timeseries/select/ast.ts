/** `scode`, `smetadata.city`, `sdatatypes`: one entry of a `select`. */
export type Name = {
  readonly kind: 'name'
  /** As written: the key in a flat answer. */
  readonly text: string
  readonly name: string
  readonly path: readonly string[]
  readonly position: number
}

export const aggregates = ['min', 'max', 'avg', 'sum', 'count'] as const
export type Aggregate = (typeof aggregates)[number]

/** Beside those, what only buckets of time have: values in an order. */
export const orderedAggregates = ['first', 'last'] as const
type OrderedAggregate = (typeof orderedAggregates)[number]

/** `max(mvalue)`: one value for each group of rows that agree in the plain entries (decision D44). */
export type Call = {
  readonly kind: 'call'
  readonly text: string
  readonly aggregate: Aggregate | OrderedAggregate
  readonly of: Name
  readonly position: number
}

export type Entry = Name | Call

/** What a `select` says: everything, or some entries. */
export type Select =
  { readonly kind: 'all' } | { readonly kind: 'some'; readonly entries: readonly Entry[] }
