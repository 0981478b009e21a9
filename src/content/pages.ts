import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { AppError } from '../errors/index.ts'
import { reportIgnored } from '../http/index.ts'
import type { Profile } from './entity.ts'
import type { Filter } from './filters/index.ts'
import { listParameters } from './parameters.ts'

type Page = {
  readonly publicUrl: string
  /** Path and query of the request. */
  readonly url: string
  readonly total: number
  readonly pageNumber: number
  readonly pageSize: number
}

/** The envelope of a page but for its items, of anything that is not a list of one entity (interface 2.1). */
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

/** Its description in OpenAPI. */
export const envelopeOf = <Items extends TSchema>(items: Items, seed: TSchema = Type.Null()) =>
  Type.Object({
    TotalResults: Type.Integer(),
    TotalPages: Type.Integer(),
    CurrentPage: Type.Integer(),
    PreviousPage: Type.Union([Type.String(), Type.Null()]),
    NextPage: Type.Union([Type.String(), Type.Null()]),
    Seed: seed,
    Items: items,
  })

const largest = 2_147_483_647

/** Pages of lists that are not those of one entity (interface 4.2, decision D21). */
export const pageParameters = (profile: Profile) => ({
  pagenumber: listParameters.properties.pagenumber,
  pagesize: Type.Integer({
    default: 10,
    minimum: profile === 'compatible' ? -1 : 1,
    maximum: largest,
    description:
      profile === 'compatible'
        ? 'Items per page; -1 and 0: everything'
        : 'Items per page; more than 1000 is clamped to 1000',
  }),
})

/** The same for what has no pages unless one is requested. */
export const optionalPageParameters = (profile: Profile) => ({
  pagenumber: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: largest,
      description: 'Page, in the envelope of lists; without it everything, as an array',
    }),
  ),
  pagesize: Type.Optional(
    Type.Integer({
      minimum: profile === 'compatible' ? -1 : 1,
      maximum: largest,
      description: 'Items per page; 10 if absent',
    }),
  ),
})

/** What some filters take, as the parameters of a route. */
export function parametersOfFilters(filters: readonly Filter[]) {
  const parameters = filters.flatMap((filter) => filter.parameters)
  return Object.fromEntries(parameters.map(({ name, schema }) => [name, Type.Optional(schema)]))
}

/** The fields of a query that filters read. */
export function queryOf(
  filters: readonly Filter[],
  query: object,
): Readonly<Record<string, unknown>> {
  const names = new Set(filters.flatMap((filter) => filter.parameters.map(({ name }) => name)))
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.has(name)))
}

type Paged = { readonly pagenumber?: number; readonly pagesize?: number }

/**
 * Says that a size of pages means nothing where no page is requested.
 * @throws AppError HUB-QRY-003 under strict handling (decision D3)
 */
export function reportPageSize(
  reply: FastifyReply,
  { pagenumber, pagesize }: Paged,
  { isStrict }: { readonly isStrict: boolean },
): void {
  if (pagenumber !== undefined || pagesize === undefined) return
  if (!isStrict) {
    reportIgnored(reply, ['pagesize'])
    return
  }
  const detail = 'has no effect without pagenumber'
  throw new AppError('HUB-QRY-003', `pagesize ${detail}.`, {
    issues: [{ parameter: 'pagesize', detail, expected: ['pagenumber as well'] }],
  })
}

/** A page by its number, or by the cursor that the page before it gave. */
type Place = { readonly pagenumber: number } | { readonly cursor: string }

/** Absolute address of the same list at another place; all other parameters are kept. */
export function pageAddress(publicUrl: string, url: string, place: Place): string {
  const address = new URL(url, publicUrl)
  const replaced = /^(?:pagenumber|cursor)$/i
  const spellings = [...address.searchParams.keys()].filter((key) => replaced.test(key))
  for (const spelling of spellings) address.searchParams.delete(spelling)
  for (const [name, value] of Object.entries(place)) address.searchParams.set(name, String(value))
  return `${publicUrl}${address.pathname}${address.search}`
}

/** The same request with the seed that was drawn for it, so that its pages are in one order. */
export function withSeed(url: string, seed: string | null): string {
  if (seed === null) return url
  const address = new URL(url, 'http://any')
  const spellings = [...address.searchParams.keys()].filter((key) => /^seed$/i.test(key))
  for (const spelling of spellings) address.searchParams.delete(spelling)
  address.searchParams.set('seed', seed)
  return `${address.pathname}${address.search}`
}
