import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '../errors/index.ts'
import { tellIgnored } from '../http/index.ts'
import type { Filter } from './filters/index.ts'
import { listParameters } from './parameters.ts'
import type { Profile } from './list/seed.ts'

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

/** The same for what has no pages unless one is asked for. */
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

/** The members of a query that filters read. */
export function queryOf(
  filters: readonly Filter[],
  query: object,
): Readonly<Record<string, unknown>> {
  const names = new Set(filters.flatMap((filter) => filter.parameters.map(({ name }) => name)))
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.has(name)))
}

type Paged = { readonly pagenumber?: number; readonly pagesize?: number }

/**
 * Says that a size of pages means nothing where no page is asked for.
 * @throws AppError HUB-QRY-003 under strict handling (decision D3)
 */
export function tellPageSize(
  reply: FastifyReply,
  { pagenumber, pagesize }: Paged,
  { isStrict }: { readonly isStrict: boolean },
): void {
  if (pagenumber !== undefined || pagesize === undefined) return
  if (!isStrict) {
    tellIgnored(reply, ['pagesize'])
    return
  }
  const detail = 'means nothing without pagenumber'
  throw new AppError('HUB-QRY-003', `pagesize ${detail}.`, {
    issues: [{ parameter: 'pagesize', detail, expected: ['pagenumber beside it'] }],
  })
}
