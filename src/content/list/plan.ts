import { visible } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import { all, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Entity } from '../entity.ts'
import { parseFields } from '../fields/parse-fields.ts'
import type { ListParameters } from '../parameters.ts'
import type { Representation } from '../representation/index.ts'
import { defaultOrder } from '../table.ts'

const largestPage = 1000

/** Everything that a list request will do, decided before the database is asked. */
export type ListPlan = {
  readonly entity: Entity
  /** Filters and the caller's rights: what counts as a match. */
  readonly where: Sql
  readonly order: Sql
  readonly pageNumber: number
  readonly pageSize: number
  /** Whether closed members are left out for this caller (decision D34). */
  readonly reduced: boolean
  readonly representation: Representation
}

/** Who asks, as far as a plan needs to know. */
export type Caller = {
  readonly visibility: Visibility
  readonly isAnonymous: boolean
  readonly isStrict: boolean
}

/**
 * The plan of a list request. Pure; the caller's rights enter as conditions of the query.
 * @throws AppError for values that cannot be planned, or not strictly (decisions D2, D3, D21)
 */
export function planList(entity: Entity, query: ListParameters, caller: Caller): ListPlan {
  return {
    entity,
    where: all([isVisible(entity, caller.visibility)]),
    order: defaultOrder(entity),
    pageNumber: query.pagenumber,
    pageSize: clampPageSize(query.pagesize, caller),
    reduced: caller.isAnonymous && entity.closedMembers.length > 0,
    representation: {
      language: query.language,
      fields: parseFields(query.fields ?? []),
      removeNullValues: query.removenullvalues,
    },
  }
}

/** The condition that holds for the records of an entity that a caller may see (decision D60). */
export function isVisible(entity: Entity, visibility: Visibility): Sql {
  return visible(visibility, 'content', {
    closed: sql`closed`,
    origin: sql`source`,
    type: sql`${entity.name}::text`,
  })
}

function clampPageSize(wanted: number, { isStrict }: Caller): number {
  if (wanted <= largestPage) return wanted
  if (!isStrict) return largestPage
  throw new AppError('HUB-QRY-003', `pagesize ${String(wanted)} would be clamped to 1000.`, {
    issues: [{ parameter: 'pagesize', detail: 'is above the maximum', expected: ['1 to 1000'] }],
  })
}
