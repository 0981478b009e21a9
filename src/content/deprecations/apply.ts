import type { Entity } from '../entity.ts'
import type { Naming } from '../naming.ts'
import { annotate } from './annotate.ts'
import type { Deprecation } from './deprecation.ts'
import { membersOnTheWay } from './member-at.ts'
import { deprecationsOf } from './table.ts'

/** The definition of an entity, with what the table of deprecations says about it. */
export function withDeprecations(entity: Entity, naming: Naming): Entity {
  const deprecations = deprecationsOf(naming).filter((row) => concerns(row, entity))
  const members = deprecations.filter(({ kind }) => kind === 'member')
  return {
    ...entity,
    naming,
    deprecations,
    schema: annotate(
      entity.schema,
      members.filter(({ state }) => state === 'deprecated'),
    ),
    removedMembers: members.filter(({ state }) => state === 'removed').map(({ name }) => name),
  }
}

/** Rows for every entity concern those whose records have the member. */
function concerns({ entity: wanted, name }: Deprecation, { name: own, schema }: Entity): boolean {
  if (wanted !== '*') return wanted === own
  const path = name.split('.')
  return membersOnTheWay(schema, path).includes(name)
}
