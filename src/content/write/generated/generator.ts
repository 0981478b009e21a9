import type { Entity } from '../../entity.ts'
import type { Draft } from './draft.ts'
import type { Lookups } from './known.ts'

/** Adds members to a draft that follow from others. */
export type Generator = (draft: Draft, lookups: Lookups) => void

/** A generator for the entities whose records have what it makes; undefined for all others. */
export type GeneratorFor = (entity: Entity) => Generator | undefined

export function has(entity: Entity, ...names: readonly string[]): boolean {
  return names.every((name) => name in entity.schema.properties)
}
