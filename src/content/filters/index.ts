import type { Clause, Entity, Filter, Parameter, Reading, References, Scope } from '../entity.ts'
import { commonFilters, tourismFilters } from './every-list.ts'
import { isShown, isVisibleRecord } from '../table.ts'
import { parseTagFilter } from '../tagfilter.ts'
import { AppError } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
export type { Clause, Filter, Parameter, Query, References } from '../entity.ts'

const known = new WeakMap<Entity, readonly Filter[]>()

/**
 * Returns every filter of an entity's lists. Its own filters replace common ones of the same name.
 */
export function filtersOf(entity: Entity): readonly Filter[] {
  const filters = known.get(entity) ?? makeFilters(entity)
  known.set(entity, filters)
  return filters
}

function makeFilters(entity: Entity): readonly Filter[] {
  const tourism = isShown(entity) ? tourismFilters(entity.naming) : []
  const filters = [...commonFilters, ...tourism, ...entity.filters]
  return [...new Map(filters.map((one) => [one.name, one])).values()]
}

type Named = { readonly parameter: string; readonly reading: Reading }

/**
 * Reads the filters that a request uses, each with its condition. All values are parsed before
 * anything is looked up, so that an invalid request never reaches the database.
 * @throws AppError for invalid values
 */
export function readFilters(scope: Scope, references: References): Promise<readonly Clause[]> {
  return readEach(filtersOf(scope.entity), scope, references)
}

/** Reads those of the given filters that a request uses, like `readFilters`. */
export async function readEach(
  filters: readonly Filter[],
  scope: Scope,
  references: References,
): Promise<readonly Clause[]> {
  const isRequested = ({ name }: Parameter) => scope.query[name] !== undefined
  const requested = filters.filter(
    ({ parameters, hasDefault }) => hasDefault === true || parameters.some(isRequested),
  )
  const readings = requested.flatMap(({ name, read }): Named[] => {
    const reading = read(scope)
    return reading === undefined ? [] : [{ parameter: name, reading }]
  })
  if (references.isStrict) await assertTagsKnown(filters, scope, references)
  const clauses: Clause[] = []
  for (const { parameter, reading } of readings) {
    const meaning = typeof reading === 'function' ? await reading(references) : reading
    clauses.push({ parameter, ...meaning })
  }
  return clauses
}

/**
 * Refuses unknown tags under strict handling; otherwise they give an empty list (decisions D3,
 * D27). Tags of the recommended system are compared in any letter case.
 * @throws AppError HUB-QRY-003
 */
async function assertTagsKnown(
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
  const detail = `names unknown tags: ${tags.join(', ')}`
  return new AppError('HUB-QRY-003', `${parameter} ${detail}.`, {
    issues: [{ parameter, detail, expected: ['identifiers of /v1/Tag'] }],
    hint: 'Request explain=true to find tags with a similar spelling.',
  })
}
