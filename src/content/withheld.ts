import { seesAll } from '../access/index.ts'
import type { Withheld } from '../http/index.ts'
import type { Entity } from './entity.ts'
import type { Caller, ListPlan } from './list/plan.ts'

/** Members that a caller without a token is not shown (decision D34): `_Meta.Reduced` marks the records. */
export function withheldFields(entity: Entity, caller: Caller): readonly Withheld[] {
  return caller.isAnonymous && entity.closedMembers.length > 0 ? ['fields'] : []
}

/** Closed records of the entity: absent from lists, and 404 like a record that does not exist. */
export function withheldRecords(
  { area, name }: Entity,
  { visibility }: Caller,
): readonly Withheld[] {
  const asked = area === 'content' ? { types: [name] } : {}
  return seesAll(visibility, area, asked) ? [] : ['records']
}

/** The same of a list: records may also be left out because of values that are near them. */
export function withheldFromList(
  { entity, nearby }: Pick<ListPlan, 'entity' | 'nearby'>,
  caller: Caller,
): readonly Withheld[] {
  return nearby?.matching.isWithheld === true ? ['records'] : withheldRecords(entity, caller)
}
