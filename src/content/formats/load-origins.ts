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
 * PostgreSQL reads the escapes of all items to cut one out, and fails at those that stand for what it
 * cannot store, although such an item was refused. So all are hidden behind another escape and the
 * identifier of the message, which no sender can know, and put back into the one that is shown.
 */
const escape = '\\u'
const shield = '\\/'

/**
 * The source items of records, cut out of their messages by the database, which keeps the text of a
 * `json` value as it came. A record without one is missing: made up, written by hand, of a message that is
 * gone, or of one that a mapping took apart, which need not be JSON.
 */
export async function loadOrigins(
  database: Queryable,
  entity: Entity,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SourceItem>> {
  const rows = await database.texts(sql`
    with wanted as (
      select id, message, line, item from content_origin
      where entity = ${entity.type} and id = any(${ids}::text[]) and mapping is null
    ), object as (
      select place.message, place.line,
        replace(
          case when place.line is null then message_text(message.body)
            else split_part(message_text(message.body), chr(10), place.line) end,
          ${escape}::text, ${shield}::text || place.message)::json as value
      from (select distinct message, line from wanted) as place
      join message on message.id = place.message
    ), source as (
      select wanted.id, replace(item.value::text, ${shield}::text || wanted.message, ${escape}::text) as text
      from object
      cross join lateral json_array_elements(object.value -> 'items')
        with ordinality as item (value, number)
      join wanted on wanted.message = object.message
        and wanted.line is not distinct from object.line
        and wanted.item = item.number - 1
    )
    select id, text, text::jsonb ?| ${entity.closedMembers}::text[] from source`)
  return new Map(
    rows.flatMap(([id, text, isClosed]) =>
      typeof id === 'string' && typeof text === 'string'
        ? [[id, { text, isClosed: isClosed === 't' }] as const]
        : [],
    ),
  )
}
