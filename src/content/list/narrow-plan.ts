import { all, sql } from '../../sql/index.ts'
import type { Clause } from '../filters/index.ts'
import { withMember } from '../representation/index.ts'
import { countableOf } from './matches.ts'
import type { ListPlan } from './plan.ts'

/** More than any dataset has. */
const everything = { pageNumber: 1, pageSize: Number.MAX_SAFE_INTEGER, cursor: undefined }

/**
 * A plan whose filters have found out what only can be asked about all matches together, such as an
 * availability check (`Clause.narrow`). What they found becomes conditions, and every match is answered,
 * whatever page was asked for (interface 8).
 */
export async function narrowPlan(plan: ListPlan): Promise<ListPlan> {
  let narrowed = plan
  for (const clause of plan.filters) narrowed = await narrowBy(narrowed, clause)
  return narrowed
}

async function narrowBy(plan: ListPlan, clause: Clause): Promise<ListPlan> {
  if (clause.narrow === undefined) return plan
  const records = sql`select id from ${countableOf(plan)}`
  const { condition, member, envelope, basis } = await clause.narrow(records)
  const { likely } = plan
  return {
    ...plan,
    ...everything,
    where: all([plan.where, condition]),
    likely: likely === undefined ? undefined : all([likely, condition]),
    filters: plan.filters.map((one) => (one === clause ? { ...clause, condition } : one)),
    representation: withMember(plan.representation, member.name),
    added: [...plan.added, member],
    envelope: { ...plan.envelope, ...envelope },
    basis: [plan.basis, basis].join(' '),
  }
}

/** The parameters of a page that mean nothing where all matches are answered. */
export function pageIgnored(
  { filters }: Pick<ListPlan, 'filters'>,
  query: { readonly pagenumber?: number; readonly pagesize: number; readonly cursor?: string },
): readonly string[] {
  if (filters.every(({ narrow }) => narrow === undefined)) return []
  const { pagenumber = 1, pagesize, cursor } = query
  return [
    ...(pagenumber === 1 ? [] : ['pagenumber']),
    ...(pagesize === 10 ? [] : ['pagesize']),
    ...(cursor === undefined ? [] : ['cursor']),
  ]
}
