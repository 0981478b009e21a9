import { AppError } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import { parseTagFilter } from '../tagfilter/index.ts'
import { isVisibleRecord } from '../visible-records.ts'
import type { Filter, References, Scope } from './filter.ts'

/**
 * What strict handling makes of tags that there are not, where others would get an empty list
 * (decisions D3, D27). Tags of the recommended system are compared in any letter case.
 * @throws AppError HUB-QRY-003
 */
export async function assertTagsKnown(
  filters: readonly Filter[],
  { query, entity }: Scope,
  { database, visibility }: References,
): Promise<void> {
  const seen = isVisibleRecord('Tag', visibility)
  for (const { name } of filters) {
    if (!isTagFilter(name, entity.naming.tagFilter)) continue
    const written = query[name]
    const tags = typeof written === 'string' ? parseTagFilter(written).tags : textsOf(written)
    if (tags.length === 0) continue
    const unknown = await database.query<{ tag: string }>(sql`
      select tag from unnest(${tags}::text[]) as wanted (tag)
      where not exists (
        select from content.tag
        where ${seen} and (id = tag or ${name !== 'tagfilter'}::boolean and lower(id) = lower(tag)))`)
    if (unknown.length > 0)
      throw unknownTags(
        name,
        unknown.map(({ tag }) => tag),
      )
  }
}

const isTagFilter = (name: string, recommended: string) =>
  name === 'tagfilter' || name === recommended || name === `${recommended}_and`

function textsOf(written: unknown): readonly string[] {
  return Array.isArray(written) ? written.map((item) => String(item).trim()).filter(Boolean) : []
}

function unknownTags(parameter: string, tags: readonly string[]): AppError {
  const detail = `names tags that there are not: ${tags.join(', ')}`
  return new AppError('HUB-QRY-003', `${parameter} ${detail}.`, {
    issues: [{ parameter, detail, expected: ['identifiers of /v1/Tag'] }],
    hint: 'Ask with explain=true for tags that are spelt nearly so.',
  })
}
