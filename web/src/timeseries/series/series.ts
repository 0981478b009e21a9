import type { SeriesId } from './series-id.ts'

export type Kind = 'number' | 'text' | 'json'
export type State = 'fresh' | 'late' | 'stale' | 'silent'

/** A value of any kind. */
export type Value = number | string | object

/** What is known of a series before its values are read. */
export type Series = SeriesId & {
  /** Tells it apart from all others, also in the address. */
  readonly key: string
  readonly station: string
  readonly unit: string
  readonly description: string
  readonly kind: Kind
  /** Milliseconds between values, as declared or observed; undefined where nobody knows. */
  readonly step: number | undefined
  readonly state: State
  readonly latest: { readonly time: number; readonly value: Value } | undefined
}
