import { datasetVersion } from '../../storage/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { weakEtag } from '../../http/index.ts'
import { itemAddress, pageAddress } from '../addresses.ts'
import { toEnvelope } from './envelope.ts'
import { loadPage } from './load-page.ts'
import type { ListPlan } from './plan.ts'
import type { Totals } from './totals.ts'

type Deps = { readonly database: Queryable; readonly totals: Totals; readonly publicUrl: string }

export type ListAnswer = { readonly etag: string; readonly body: string }

/** The tag that the answer to this plan would have now. Cheap: it reads no record. */
export async function listEtag(deps: Deps, plan: ListPlan, url: string): Promise<string> {
  return etagOf(plan, url, await datasetVersion(deps.database, plan.entity.name))
}

/** Runs a plan: one page, its exact total, the envelope. */
export async function listEntities(deps: Deps, plan: ListPlan, url: string): Promise<ListAnswer> {
  const { version, records, total } = await loadWithTotal(deps, plan)
  const body = toEnvelope(
    plan,
    { records, total },
    {
      item: (id) => itemAddress(deps.publicUrl, plan.entity, id),
      page: (pageNumber) => pageAddress(deps.publicUrl, url, pageNumber),
    },
  )
  return { etag: etagOf(plan, url, version), body }
}

const mostReadings = 3

/**
 * A page and the total of the same version. Under steady writing the two may not meet; then the last
 * page is answered with a total that is true for a moment close to it.
 */
async function loadWithTotal({ database, totals }: Deps, plan: ListPlan) {
  for (let reading = 1; ; reading++) {
    const page = await loadPage(database, plan)
    const total = await totals(plan, page.version)
    if (total.version === page.version || reading === mostReadings) {
      return { ...page, total: total.count }
    }
  }
}

/** The conditions hold the caller's rights, so two callers share a tag only if they see the same. */
function etagOf(plan: ListPlan, url: string, version: string): string {
  const rights = JSON.stringify([plan.where.text, plan.where.values, plan.reduced])
  return weakEtag([version, url, rights])
}
