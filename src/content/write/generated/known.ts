import type { Members } from './draft.ts'

/** What generated members say of a tag. */
export type KnownTag = {
  readonly id: string
  readonly name: Members
  readonly types: readonly string[]
  readonly source: string | undefined
  /** Its forerunners in the recommended system. */
  readonly forerunners: readonly string[]
  /** Unknown for tags that say nothing about it. */
  readonly isCategory: boolean | undefined
  readonly ltsRid: string | undefined
}

/** What is known of other records, read once for all records of a message. */
export type Lookups = {
  readonly tags: ReadonlyMap<string, KnownTag>
  /** Names of areas, by language. */
  readonly areas: ReadonlyMap<string, Members>
}

export const nothingKnown: Lookups = { tags: new Map(), areas: new Map() }
