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

/**
 * Returns the envelope of a page without its items, for responses other than lists of one entity
 * (interface 2.1).
 */
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

/** Returns the OpenAPI schema of the envelope of a page. */
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

/**
 * Returns the page parameters of lists other than those of one entity (interface 4.2, decision
 * D21).
 */
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

/** Returns the page parameters of lists that return everything unless a page is requested. */
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

/** Returns the parameters of filters as the parameters of a route. */
export function parametersOfFilters(filters: readonly Filter[]) {
  const parameters = filters.flatMap((filter) => filter.parameters)
  return Object.fromEntries(parameters.map(({ name, schema }) => [name, Type.Optional(schema)]))
}

/** Returns the parameters of a query that the filters read. */
export function queryOf(
  filters: readonly Filter[],
  query: object,
): Readonly<Record<string, unknown>> {
  const names = new Set(filters.flatMap((filter) => filter.parameters.map(({ name }) => name)))
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.has(name)))
}

type Paged = { readonly pagenumber?: number; readonly pagesize?: number }

/**
 * Reports `pagesize` as ignored if no page is requested.
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

/** A page, by its number or by the cursor that the previous page returned. */
type Place = { readonly pagenumber: number } | { readonly cursor: string }

/** Returns the absolute URL of another page of the same list. All other parameters are kept. */
export function pageAddress(publicUrl: string, url: string, place: Place): string {
  const address = new URL(url, publicUrl)
  const replaced = /^(?:pagenumber|cursor)$/i
  const spellings = [...address.searchParams.keys()].filter((key) => replaced.test(key))
  for (const spelling of spellings) address.searchParams.delete(spelling)
  for (const [name, value] of Object.entries(place)) address.searchParams.set(name, String(value))
  return `${publicUrl}${address.pathname}${address.search}`
}

/**
 * Adds the seed that was drawn for a request to its URL, so that all its pages have the same order.
 */
export function withSeed(url: string, seed: string | null): string {
  if (seed === null) return url
  const address = new URL(url, 'http://any')
  const spellings = [...address.searchParams.keys()].filter((key) => /^seed$/i.test(key))
  for (const spelling of spellings) address.searchParams.delete(spelling)
  address.searchParams.set('seed', seed)
  return `${address.pathname}${address.search}`
}
