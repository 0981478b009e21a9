import type { ContentItem } from '../canonical.ts'

/** All records of one entity, each made when it is asked for. */
export type Collection = {
  readonly entity: string
  readonly count: number
  readonly item: (index: number) => ContentItem
}
