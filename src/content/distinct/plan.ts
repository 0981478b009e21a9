import { requirePrincipal } from '../../access/index.ts'
import type { Principal } from '../../access/index.ts'
import type { Maker } from '../datasets/index.ts'
import type { Entity } from '../entity.ts'
import { needsToken } from '../entity-types.ts'
import { loadChunk, loadEverything } from '../list/load-everything.ts'
import { planList } from '../list/plan.ts'
import type { Caller, ListPlan } from '../list/plan.ts'
import { rewriteRecords } from '../list/rewrite.ts'
import { queryOf } from '../page-parameters.ts'
import type { ReadDeps } from '../read-deps.ts'
import { toColumns } from './columns.ts'
import { madeSource, storedSource } from './compile-values.ts'
import type { Source } from './compile-values.ts'
import type { Values } from './load-values.ts'
import { distinctFilters } from './operation.ts'
import type { DistinctQuery } from './operation.ts'
import { toSorting } from './sorting.ts'

type Asking = {
  readonly entity: Entity
  readonly query: DistinctQuery
  readonly principal: Principal
  readonly caller: Caller
  readonly make: Maker
}

/** What an answer will be; the records are read when `source` is asked for. */
export type DistinctPlan = {
  readonly list: ListPlan
  readonly values: Omit<Values, 'source'>
  readonly source: () => Promise<Source>
  /** Names the state of what is made on read, for entity tags. */
  readonly basis: string | undefined
}

/**
 * The plan of a request for distinct values; the caller's rights enter as conditions of its query.
 * @throws AppError for what cannot be planned, and where reading the entity takes a token
 */
export async function planDistinct(deps: ReadDeps, asking: Asking): Promise<DistinctPlan> {
  const { entity, query, principal, caller } = asking
  const { database, profile = 'strict', now } = deps
  if (needsToken(entity, profile)) requirePrincipal(principal)
  const columns = toColumns(entity, query)
  const sorting = toSorting(columns, query.rawsort)
  const list = await planList(
    entity,
    {
      ...queryOf(distinctFilters, query),
      ...whole,
      pagenumber: query.pagenumber ?? 1,
      pagesize: query.pagesize ?? 10,
    },
    { ...caller, database, profile, principal, ...(now === undefined ? {} : { now }) },
  )
  const fields = columns.map(({ path }) => path)
  const made = await asking.make({ ...list.representation, fields }, caller.visibility)
  const { pageNumber, pageSize } = list
  const page = { offset: (pageNumber - 1) * pageSize, limit: pageSize }
  return {
    list,
    values: {
      dataset: entity.name,
      columns,
      sorting,
      excludesEmpty: query.excludenulloremptyvalues,
      asArray: query.getasarray,
      ...(query.pagenumber === undefined ? {} : { page }),
    },
    source:
      made === undefined
        ? () => Promise.resolve(storedSource(list))
        : () => loadMade(deps, { ...list, rewrites: [made.rewrite] }),
    basis: made?.basis,
  }
}

const whole = { getasidarray: false, removenullvalues: false }

const all = { pageNumber: 1, pageSize: Number.MAX_SAFE_INTEGER }

/**
 * The matching records with what is made on read: those that describe datasets, of which there are some
 * hundreds, so they are made first and asked afterwards.
 */
async function loadMade({ database }: ReadDeps, list: ListPlan): Promise<Source> {
  const { chunks } = await loadEverything(database, { ...list, ...all })
  const texts: string[] = []
  for (const chunk of chunks) {
    const records = await rewriteRecords(list.rewrites, await loadChunk(database, list, chunk))
    texts.push(...records.map(({ data }) => data))
  }
  return madeSource(texts)
}
