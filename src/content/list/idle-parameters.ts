import { assertNoneIgnored, isNamed } from '../../http/index.ts'
import { filtersOf } from '../filters/index.ts'
import type { Filter } from '../filters/index.ts'
import { fallback } from '../formats/index.ts'
import type { Choice } from '../formats/index.ts'
import type { Entity } from '../entity.ts'
import { onlyShows } from './plan.ts'
import type { Caller, ListPlan } from './plan.ts'

/** The properties of a planned list that decide which parameters have an effect. */
type Listed = {
  readonly plan: ListPlan
  readonly choice: Choice
  readonly isGrouped: boolean
}

type Query = Readonly<Record<string, unknown>>

type Idle = { readonly names: readonly string[]; readonly where: string }

const otherOrder = 'if another order or a geographic filter applies'

const ofPages = ['pagenumber', 'pagesize', 'cursor']

/** Parameters for the form of records. Some responses contain no records. */
const ofRecords = ['fields', 'language', 'removenullvalues', 'bom']

/** Default values. A parameter with its default value is never reported. */
const defaults: Query = { pagenumber: 1, pagesize: 10 }

/**
 * Returns the given parameters of a list that have no effect on its response.
 * @throws AppError HUB-QRY-003 under strict handling (decision D3)
 */
export function idleParameters(listed: Listed, query: Query, caller: Handling): readonly string[] {
  const filters = filtersOf(listed.plan.entity)
  return givenOf([...withoutFlag(filters, query), ...idleOf(listed, query)], query, caller)
}

/**
 * Returns the given parameters that have no effect if an availability check returns the offers of
 * the matches, and not the matches themselves.
 * @throws AppError HUB-QRY-003 under strict handling (decision D3)
 */
export function idleOfferParameters(
  plan: ListPlan,
  query: Query,
  caller: Handling,
): readonly string[] {
  const { entity, filters, idleOrders } = plan
  const looks = filters.filter((one) => onlyShows(one) && one.order === undefined)
  const others = ['explain', 'stream', 'getasidarray', 'groupby', 'agg']
  const names = [
    ...ofPages,
    ...ofRecords,
    ...namesOf(looks),
    ...formatIn(fallback, query),
    ...others,
  ]
  const idle = [
    { names, where: 'if only offers are returned' },
    { names: idleOrders, where: otherOrder },
  ]
  return givenOf([...withoutFlag(filtersOf(entity), query), ...idle], query, caller)
}

/**
 * Returns the given parameters that have no effect on a single read.
 * @throws AppError HUB-QRY-003 under strict handling (decision D3)
 */
export function idleItemParameters(
  { entity, choice }: Pick<Listed, 'choice'> & { readonly entity: Entity },
  query: Query,
  caller: Handling,
): readonly string[] {
  return givenOf(
    [...withoutFlag(entity.itemFilters, query), inFormat(choice, query)],
    query,
    caller,
  )
}

type Handling = Pick<Caller, 'isStrict'>

function givenOf(idle: readonly Idle[], query: Query, { isStrict }: Handling): readonly string[] {
  const ignored = idle.flatMap(({ names, where }) => {
    const given = names.filter((name) => isGiven(query, name))
    if (isStrict) assertNoneIgnored(given, where)
    return given
  })
  return [...new Set(ignored)]
}

function isGiven(query: Query, name: string): boolean {
  const value = query[name]
  // With `searchfilter`, the language selects the titles that are searched.
  if (name === 'language' && query['searchfilter'] !== undefined) return false
  return value !== undefined && value !== false && value !== defaults[name]
}

/**
 * Returns the parameters of filters that have no effect, because a required flag is not set or
 * because other given parameters disable them.
 */
function withoutFlag(filters: readonly Filter[], query: Query): readonly Idle[] {
  return filters.flatMap(({ onlyWith, notBeside, parameters }) => {
    const names = parameters.map(({ name }) => name)
    if (notBeside?.every((name) => isGiven(query, name)) === true)
      return [{ names, where: `beside ${notBeside.join(' and ')}` }]
    if (onlyWith === undefined || query[onlyWith] === true) return []
    return [{ names, where: `without ${onlyWith}=true` }]
  })
}

function inFormat(choice: Choice, query: Query): Idle {
  const { name, ignores } = choice.format
  return { names: [...formatIn(choice, query), ...ignores], where: `in the format ${name}` }
}

function idleOf({ plan, choice, isGrouped }: Listed, query: Query): readonly Idle[] {
  const { filters, idleOrders, isBare, wantsIds } = plan
  const shown = filters.filter(onlyShows)
  const looks = shown.filter(({ order }) => order === undefined)
  const ordered = { names: idleOrders, where: otherOrder }
  if (query['explain'] === true) {
    const names = [...ofPages, ...ofRecords, ...namesOf(looks), ...formatIn(fallback, query)]
    return [{ names: [...names, 'stream', 'getasidarray'], where: 'beside explain' }, ordered]
  }
  if (wantsIds) {
    const names = [...ofPages, ...ofRecords, ...namesOf(looks), ...formatIn(choice, query)]
    return [{ names, where: 'beside getasidarray' }, ordered]
  }
  const isWhole =
    query['stream'] === true || isBare || filters.some(({ narrow }) => narrow !== undefined)
  const around = isWhole
    ? { names: ofPages, where: 'if all matches are returned' }
    : { names: query['cursor'] === undefined ? [] : ['pagenumber'], where: 'beside cursor' }
  if (!isGrouped) return [inFormat(choice, query), around, ordered]
  const ofItems = ['fields', 'seed', 'getasidarray', ...namesOf(shown)]
  return [{ names: ofItems, where: 'if records are grouped' }, inFormat(choice, query), around]
}

const namesOf = (clauses: ListPlan['filters']) => clauses.map(({ parameter }) => parameter)

/** Returns `format` if the response has another format. */
function formatIn({ format }: Choice, { format: named }: Query): readonly string[] {
  return typeof named !== 'string' || isNamed(format, named) ? [] : ['format']
}
