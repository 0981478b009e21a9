import type { Principal, Visibility } from '../access/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { Mobility } from './datasets/index.ts'
import type { Entity, Profile } from './entity.ts'

/** Dependencies of reads that may involve records of any entity. */
export type ReadDeps = {
  readonly database: Queryable
  readonly entities: readonly Entity[]
  readonly publicUrl: string
  readonly profile?: Profile
  readonly now?: () => Date
  readonly mobility?: Mobility
  readonly visibilityOf: (principal: Principal) => Visibility
}
