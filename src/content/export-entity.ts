import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { Entity } from './entity.ts'
import { tableOf } from './table.ts'

const pageSize = 500

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
