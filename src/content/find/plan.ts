import { requirePrincipal } from '../../access/index.ts'
import type { Principal } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import { all, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Entity } from '../entity.ts'
import type { References } from '../filters/filter.ts'
import { locationFilter } from '../filters/location-filter.ts'
import { entityOfType, needsToken } from '../entity-types.ts'
import { planList } from '../list/plan.ts'
import type { Caller, ListPlan } from '../list/plan.ts'
import { jsonAt, parseRawFilter, toStoredField } from '../rawfilter/index.ts'
import { parseRawSort } from '../rawsort/index.ts'
import type { RawSort } from '../rawsort/index.ts'
import type { ReadDeps } from '../read-deps.ts'
import { matches, relevance } from './search.ts'
import type { Search } from './search.ts'

/** The part of a request that goes to one entity. */
export type Branch = {
  readonly list: ListPlan
  /** What holds for a match, with the caller's rights. */
  readonly where: Sql
  /** 0 for the best matches. */
  readonly rank: Sql
  /** The JSON that `rawsort` sorts by. */
  readonly keys: readonly Sql[]
}

export type FindPlan = {
  readonly branches: readonly Branch[]
  readonly directions: readonly ('ascending' | 'descending')[]
  /** Most records of each entity. */
  readonly limitTo: number | undefined
  readonly pageNumber: number
  readonly pageSize: number
}

export type Asking = {
  readonly principal: Principal
  readonly caller: Caller
  readonly entities: readonly Entity[]
  readonly search: Search | undefined
  readonly rawfilter?: string | undefined
  readonly locfilter?: readonly string[] | undefined
  readonly rawsort?: string | undefined
  readonly limitto?: number | undefined
  readonly pagenumber: number
  readonly pagesize: number
}

/**
 * The entities that are looked through: those that are named, or all that the caller may read.
 * @throws AppError for what is no entity, and for one that takes a token where there is none
 */
export function chooseEntities(
  { entities, profile = 'strict' }: ReadDeps,
  types: readonly string[] | undefined,
  principal: Principal,
): readonly Entity[] {
  const isOpen = (entity: Entity) => principal.kind === 'verified' || !needsToken(entity, profile)
  if (types === undefined || types.length === 0) return entities.filter(isOpen)
  const named = new Set(types.map((type) => entityOfType(entities, type)))
  const chosen = entities.filter((entity) => named.has(entity))
  if (!chosen.every(isOpen)) requirePrincipal(principal)
  return chosen
}

/** The plan of a request: the caller's rights are conditions of the query of each entity. */
export async function planFind(deps: ReadDeps, asking: Asking): Promise<FindPlan> {
  const { database, profile = 'strict', now } = deps
  const { caller, principal, pagenumber, pagesize, rawfilter } = asking
  const sort = asking.rawsort === undefined ? { keys: [] } : parseRawSort(asking.rawsort)
  const planning = {
    ...caller,
    database,
    profile,
    principal,
    ...(now === undefined ? {} : { now }),
  }
  const query = { rawfilter, pagenumber, pagesize, getasidarray: false, removenullvalues: false }
  const isThere = await placeCondition(asking, planning)
  const branches: Branch[] = []
  for (const entity of asking.entities) {
    const list = await planList(entity, query, planning)
    branches.push(toBranch(list, { isThere, search: asking.search, sort }))
  }
  const [first] = branches
  return {
    branches,
    directions: sort.keys.map(({ direction }) => direction),
    limitTo: asking.limitto,
    pageNumber: pagenumber,
    pageSize: first?.list.pageSize ?? pagesize,
  }
}

/** Looked up once; some lists take other places too, which mean nothing in the others. */
async function placeCondition(
  { entities: [entity], principal, locfilter }: Asking,
  planning: References & Pick<ReadDeps, 'now'>,
): Promise<Sql> {
  if (entity === undefined || locfilter === undefined) return sql`true`
  const { now } = planning
  const reading = locationFilter.read({ entity, query: { locfilter }, principal, now })
  const meaning = typeof reading === 'function' ? await reading(planning) : reading
  return meaning?.condition ?? sql`true`
}

type Asked = {
  readonly isThere: Sql
  readonly search: Search | undefined
  readonly sort: RawSort
}

function toBranch(list: ListPlan, { isThere, search, sort }: Asked): Branch {
  const { entity, reduced, where } = list
  const scope = { entity, naming: entity.naming, isReduced: reduced }
  return {
    list,
    where: all([where, isThere, ...(search === undefined ? [] : [matches(search, list)])]),
    rank: search === undefined ? sql`0` : relevance(search),
    keys: sort.keys.map(({ field }) => jsonAt(toStoredField(field, scope))),
  }
}

/**
 * Reads an expression only to say what is wrong with it under the name that it came by.
 * @throws AppError HUB-QRY-005
 */
export function assertExpression(expression: string): void {
  try {
    parseRawFilter(expression)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, hint, issues } = error
    throw new AppError(code, message.replace(/^rawfilter/, 'expression'), {
      issues: issues.map((issue) => ({ ...issue, parameter: 'expression' })),
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    })
  }
}
