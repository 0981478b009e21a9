import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'

/** The source item of a record, as its provider wrote it. */
export type SourceItem = {
  readonly text: string
  /** Whether it holds members that only callers with a token may see (decision D34). */
  readonly isClosed: boolean
}

/**
 * The source items of records, cut out of their messages by the database, which keeps the text of a
 * `json` value as it came. A record without one is missing: made up, written by hand, or of a message
 * that is gone.
 */
export async function loadOrigins(
  database: Queryable,
  entity: Entity,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SourceItem>> {
  const rows = await database.texts(sql`
    with wanted as (
      select id, message, line, item from content_origin
      where entity = ${entity.type} and id = any(${ids}::text[])
    ), object as (
      select place.message, place.line,
        case when place.line is null then message_text(message.body)
          else split_part(message_text(message.body), E'\n', place.line) end::json as value
      from (select distinct message, line from wanted) as place
      join message on message.id = place.message
    )
    select wanted.id, source.value, source.value::jsonb ?| ${entity.closedMembers}::text[]
    from object
    cross join lateral json_array_elements(object.value -> 'items')
      with ordinality as source (value, number)
    join wanted on wanted.message = object.message
      and wanted.line is not distinct from object.line
      and wanted.item = source.number - 1`)
  return new Map(
    rows.flatMap(([id, text, isClosed]) =>
      typeof id === 'string' && typeof text === 'string'
        ? [[id, { text, isClosed: isClosed === 't' }] as const]
        : [],
    ),
  )
}
