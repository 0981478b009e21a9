import { represent } from '../representation/index.ts'
import type { Page } from './load-page.ts'
import type { ListPlan } from './plan.ts'

export type Addresses = {
  /** Address of a record, for its `Self`. */
  readonly item: (id: string) => string
  /** This request with another page number. */
  readonly page: (pageNumber: number) => string
}

/** The list envelope (interface 2.1, order of members by decision D20) as JSON text. */
export function toEnvelope(
  plan: ListPlan,
  { records, total }: Pick<Page, 'records'> & { readonly total: number },
  addresses: Addresses,
): string {
  const { pageNumber, pageSize, representation } = plan
  const totalPages = Math.ceil(total / pageSize)
  const linkTo = (page: number) => (page >= 1 && page <= totalPages ? addresses.page(page) : null)
  const head = JSON.stringify({
    TotalResults: total,
    TotalPages: totalPages,
    CurrentPage: pageNumber,
    PreviousPage: linkTo(pageNumber - 1),
    NextPage: linkTo(pageNumber + 1),
    Seed: null,
  })
  const items = records.map(({ id, data }) => represent(data, addresses.item(id), representation))
  return `${head.slice(0, -1)},"Items":[${items.join(',')}]}`
}
