import type { Tally } from '../tally/index.ts'
import type { Dataset } from './schemas.ts'

/** What stands in the catalogue of a dataset, without what is drawn of it. */
export type Described = Omit<Dataset, 'extent' | 'miniature'>

export type Counted = Described['tags'][number]

/** Where the records of a dataset lie, and when they changed: what a miniature is drawn from. */
export type Traces = {
  /** By cell, as `x y`. */
  readonly cells: Tally
  readonly months: Tally
  /** What of the cells everybody may know. */
  readonly openCells: Tally
  readonly values: Values
}

/** Which values are in use, and how often: what filters are offered from. */
export type Values = {
  readonly tags: Tally
  readonly languages: Tally
  readonly sources: Tally
  readonly licences: Tally
  /** Series by data type. */
  readonly dataTypes: Tally
}

/** A dataset that is yet to be drawn. */
export type Drawable = { readonly described: Described; readonly traces: Traces }

/** Numbers objects in the order in which they are met; who forgets them is not kept from doing so. */
export function numbering(): (thing: object) => number {
  const known = new WeakMap<object, number>()
  let last = 0
  return (thing) => {
    const number = known.get(thing) ?? (last += 1)
    known.set(thing, number)
    return number
  }
}
