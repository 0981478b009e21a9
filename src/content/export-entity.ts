import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { Entity } from './entity.ts'
import { tableOf } from './table.ts'

const pageSize = 500

/**
 * What other records name, in this order: a source has to be there before a record of it comes, which
 * registers it otherwise, and tags and areas before records that get their names.
 */
const namedByOthers: readonly string[] = ['Source', 'Tag', 'Area']

/** Entities in the order in which their exports are best imported. */
export function inImportOrder(entities: readonly Entity[]): readonly Entity[] {
  const named = namedByOthers.flatMap((name) => entities.filter((entity) => entity.name === name))
  return [...named, ...entities.filter((entity) => !named.includes(entity))]
}

/**
 * All records of an entity as lines of the canonical push format, in the order of their identifiers.
 * Read as keyset pages, so memory stays flat and no statement is long.
 */
export async function* exportEntity(database: Queryable, entity: Entity): AsyncIterable<string> {
  let last = ''
  for (;;) {
    const rows = await database.texts(sql`
      select id, data from ${tableOf(entity)} where id > ${last} order by id limit ${pageSize}`)
    const end = rows.at(-1)?.[0]
    if (typeof end !== 'string') return
    last = end
    const items = rows.map(([, data]) => data ?? '{}').join(',')
    yield `{"kind":"content","entity":${JSON.stringify(entity.name)},"items":[${items}]}`
  }
}
