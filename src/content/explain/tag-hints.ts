import { nearest } from '../../lang/index.ts'
import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { ListPlan } from '../list/plan.ts'
import type { Explaining } from './load-counts.ts'
import type { CountedClause } from './parts-of.ts'

const mostTags = 20
const mostLike = 500
const mostNamed = 3

/** Tags that nobody has, with those that were perhaps meant. */
export async function tagHints(
  { database }: Explaining,
  { entity }: ListPlan,
  { parameter, text }: CountedClause,
): Promise<readonly string[]> {
  if (parameter !== 'tagfilter' && parameter !== entity.naming.tagFilter) return []
  const written = tagsIn(text)
  const unknown = await database.query<{ id: string }>(sql`
    select written.id from unnest(${written}::text[]) as written (id)
    where not exists (select from content.tag where tag.id = written.id and not closed)`)
  const hints: string[] = []
  for (const { id } of unknown) hints.push(await hintFor(database, id))
  return hints
}

/** `or(a,b)`, `and(a,b)` or a plain list. */
function tagsIn(text: string): readonly string[] {
  const list = /^(?:and|or)\((.*)\)$/s.exec(text)?.[1] ?? text
  return list.split(',').slice(0, mostTags)
}

async function hintFor(database: Queryable, id: string): Promise<string> {
  const like = new Set(await loadLike(database, id))
  const found: string[] = []
  while (found.length < mostNamed) {
    const next = nearest(id, like)
    if (next === undefined) break
    found.push(next)
    like.delete(next)
  }
  const meant = found.length === 0 ? 'See /v1/Tag.' : `Did you mean ${found.join(', ')}?`
  return `There is no tag ${id}. ${meant}`
}

/** Known tags of about the same length: likeness is looked for among these only. */
async function loadLike(database: Queryable, id: string): Promise<readonly string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from content.tag
    where not closed and abs(length(id) - ${id.length}) <= ${Math.ceil(id.length / 3)}
    order by abs(length(id) - ${id.length}), id limit ${mostLike}`)
  return rows.map((row) => row.id)
}
