import { isShown } from '../columns.ts'
import type { Entity } from '../entity.ts'
import { assertTagsKnown } from './unknown-tags.ts'
import { commonFilters, tourismFilters } from './every-list.ts'
import type { Clause, Filter, Reading, References, Scope } from './filter.ts'

const known = new WeakMap<Entity, readonly Filter[]>()

/** Every filter of the lists of an entity; its own take the place of common ones of their name. */
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
 * The filters that a request uses, each with what it means. Values are all read before anything is
 * looked up, so a request with a fault never reaches the database.
 * @throws AppError for values that cannot be taken
 */
export function readFilters(scope: Scope, references: References): Promise<readonly Clause[]> {
  return readEach(filtersOf(scope.entity), scope, references)
}

/** The same for some filters. */
export async function readEach(
  filters: readonly Filter[],
  scope: Scope,
  references: References,
): Promise<readonly Clause[]> {
  const readings = filters.flatMap(({ name, read }): Named[] => {
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
