import type { Visibility } from '../../access/index.ts'
import { all, sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Entity } from '../entity.ts'
import { membersOf, parseRecord, textOf } from '../formats/record-members.ts'
import { isVisible } from '../list/plan.ts'
import { tableOf } from '../table.ts'

/** Titles of a tag by language, as far as it has them. */
export type TagTitles = Readonly<Record<string, string>>

/** The titles of tags that the caller may see, by the identifiers of the tags. */
export async function loadTagTitles(
  database: Queryable,
  tags: Entity,
  { ids, visibility }: { readonly ids: readonly string[]; readonly visibility: Visibility },
): Promise<ReadonlyMap<string, TagTitles>> {
  const rows = await database.texts(sql`
    select id, data -> 'TagName' from ${tableOf(tags)}
    where ${all([sql`id = any(${[...ids]}::text[])`, isVisible(tags, visibility)])}`)
  return new Map(rows.map(([id, names]) => [id ?? '', toTitles(names)]))
}

function toTitles(names: string | null | undefined): TagTitles {
  const known = Object.entries(membersOf(parseRecord(`{"names":${names ?? 'null'}}`)['names']))
  return Object.fromEntries(
    known.flatMap(([language, name]) => {
      const title = textOf(name)
      return title === undefined ? [] : [[language, title]]
    }),
  )
}
