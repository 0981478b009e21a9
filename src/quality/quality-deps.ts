import type { Principal, Visibility } from '../access/index.ts'
import { needsToken } from '../content/index.ts'
import type { Entity, Profile } from '../content/index.ts'
import type { Queryable } from '../storage/index.ts'

/** Dependencies of measuring. */
export type Measuring = {
  readonly entities: readonly Entity[]
  readonly profile: Profile
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly now: () => Date
}

export type QualityDeps = Measuring & {
  readonly database: { readonly read: Queryable }
  readonly publicUrl: string
}

/** Returns the entities whose lists the caller may read at all. */
export function readable(
  principal: Principal,
  { entities, profile }: Pick<Measuring, 'entities' | 'profile'>,
): readonly Entity[] {
  return entities.filter((entity) => principal.kind !== 'anonymous' || !needsToken(entity, profile))
}

/** The scopes of stored figures. `open`: data that everybody sees; `all`: including closed data. */
export const scopes = ['open', 'all'] as const
export type Scope = (typeof scopes)[number]
