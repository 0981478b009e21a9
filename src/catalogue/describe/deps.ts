import type { Entity, Profile } from '../../content/index.ts'
import type { ClosedFacts, OpenFacts } from '../facts.ts'

/** What the datasets of a service are described from. */
export type Describing = {
  readonly publicUrl: string
  /** What the hub is called. */
  readonly title: string
  readonly entities: readonly Entity[]
  readonly profile: Profile
  readonly open: OpenFacts
  /** What of the closed data the caller sees beside the open data. */
  readonly closed: ClosedFacts
  /** What of the closed data everybody sees, because rules for guests say so. */
  readonly guest: ClosedFacts
  /** Whether the caller has shown a token that counts. */
  readonly hasToken: boolean
}
