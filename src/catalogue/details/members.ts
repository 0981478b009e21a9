import { listMembers, rawFilterOperators } from '../../content/index.ts'
import type { Entity } from '../../content/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { listFields, whereOperators } from '../../timeseries/index.ts'

/** The members of the records of an entity. */
export function entityMembers(entity: Entity) {
  const members = listMembers(entity).map((member) => ({
    ...member,
    operators: [],
    at: 'records',
  }))
  return { language: 'rawfilter', operators: rawFilterOperators, members }
}

/** The fields of a station type. */
export async function stationMembers(database: Queryable, type: string) {
  const fields = await listFields(database, type)
  const members = fields.map(({ name, type: kind, operators, at }) => ({
    path: name,
    type: kind,
    description: null,
    isList: false,
    canFilter: true,
    canSort: false,
    takesToken: false,
    deprecated: null,
    operators,
    at,
  }))
  return { language: 'where', operators: whereOperators, members }
}
