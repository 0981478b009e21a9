import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { pageAddress } from './addresses.ts'

type Page = {
  readonly publicUrl: string
  /** Path and query of the request. */
  readonly url: string
  readonly total: number
  readonly pageNumber: number
  readonly pageSize: number
}

/** The envelope of a page but for its items, of what is not a list of one entity (interface 2.1). */
export function toEnvelope({ publicUrl, url, total, pageNumber, pageSize }: Page) {
  const pages = Math.ceil(total / pageSize)
  const linkTo = (pagenumber: number) =>
    pagenumber >= 1 && pagenumber <= pages ? pageAddress(publicUrl, url, { pagenumber }) : null
  return {
    TotalResults: total,
    TotalPages: pages,
    CurrentPage: pageNumber,
    PreviousPage: linkTo(pageNumber - 1),
    NextPage: linkTo(pageNumber + 1),
    Seed: null,
  }
}

/** What OpenAPI says of it. */
export const envelopeOf = <Items extends TSchema>(items: Items) =>
  Type.Object({
    TotalResults: Type.Integer(),
    TotalPages: Type.Integer(),
    CurrentPage: Type.Integer(),
    PreviousPage: Type.Union([Type.String(), Type.Null()]),
    NextPage: Type.Union([Type.String(), Type.Null()]),
    Seed: Type.Null(),
    Items: items,
  })
