import { itemAddress, pageAddress, withSeed } from '../addresses.ts'
import type { Listing } from '../formats/index.ts'
import type { ListPlan } from './plan.ts'

type Asked = {
  readonly plan: ListPlan
  /** Path and query of the request. */
  readonly url: string
  readonly bom: boolean
  readonly publicUrl: string
}

/** What surrounds the records of a list (interface 2.1, decision D20), for a format to write. */
export function toListing(
  { plan, url, bom, publicUrl }: Asked,
  total: number,
): Omit<Listing, 'columns'> {
  const { entity, representation, pageNumber, pageSize, seed, isBare, envelope } = plan
  const totalPages = Math.ceil(total / pageSize)
  const seeded = withSeed(url, seed)
  const linkTo = (pagenumber: number) =>
    pagenumber >= 1 && pagenumber <= totalPages
      ? pageAddress(publicUrl, seeded, { pagenumber })
      : null
  return {
    entity,
    representation,
    addressOf: (id) => itemAddress(publicUrl, entity, id),
    bom,
    isBare,
    total,
    totalPages,
    pageNumber,
    previousPage: linkTo(pageNumber - 1),
    nextPage: linkTo(pageNumber + 1),
    seed,
    further: envelope,
  }
}
