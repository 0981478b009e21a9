import { Check } from 'typebox/value'
import { readQuery } from '../../http/index.ts'
import type { Entity } from '../entity.ts'
import { listOperation } from '../schemas.ts'
import { planList } from './plan.ts'
import type { ListPlan, Planning } from './plan.ts'

type Parameters = ReturnType<typeof listOperation>['querystring']

/**
 * Returns the parameters of an entity's list. Cached, because the schema is compiled only once for
 * each object.
 */
function parametersOf(entity: Entity): Parameters {
  const known = parameters.get(entity)
  if (known !== undefined) return known
  const schema = listOperation(entity, 'strict').querystring
  parameters.set(entity, schema)
  return schema
}

const parameters = new WeakMap<Entity, Parameters>()

/**
 * Plans a list from parameters written as in a query string. Its condition matches exactly the
 * records of the list, so that they can be counted by it.
 * @returns undefined for parameters that the list does not have
 * @throws AppError for values that cannot be planned
 */
export async function planWritten(
  entity: Entity,
  written: Readonly<Record<string, string>>,
  planning: Planning,
): Promise<ListPlan | undefined> {
  const schema = parametersOf(entity)
  const { values, ignored } = readQuery(schema, written)
  if (ignored.length > 0 || !Check(schema, values)) return undefined
  return planList(entity, values, planning)
}
