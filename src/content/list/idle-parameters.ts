import { assertNoneIgnored, isNamed } from '../../http/index.ts'
import { fallback } from '../formats/index.ts'
import type { Choice } from '../formats/index.ts'
import { onlyShows } from './plan.ts'
import type { Caller, ListPlan } from './plan.ts'

/** A planned list, as far as it decides which parameters mean something. */
type Listed = {
  readonly plan: ListPlan
  readonly choice: Choice
  readonly isGrouped: boolean
}

type Query = Readonly<Record<string, unknown>>

type Idle = { readonly names: readonly string[]; readonly where: string }

const ofPages = ['pagenumber', 'pagesize', 'cursor']

/** What says how records look, of which some answers show none. */
const ofRecords = ['fields', 'language', 'removenullvalues', 'bom']

/** Written or not, these mean the same. */
const defaults: Query = { pagenumber: 1, pagesize: 10 }

/**
 * The parameters of a list that were given and have no effect on its answer.
 * @throws AppError HUB-QRY-003 under strict handling (decision D3)
 */
export function idleParameters(
  listed: Listed,
  query: Query,
  { isStrict }: Pick<Caller, 'isStrict'>,
): readonly string[] {
  const ignored = idleOf(listed, query).flatMap(({ names, where }) => {
    const given = names.filter((name) => isGiven(query, name))
    if (isStrict) assertNoneIgnored(given, where)
    return given
  })
  return [...new Set(ignored)]
}

function isGiven(query: Query, name: string): boolean {
  const value = query[name]
  // Text search looks through the titles of the language.
  if (name === 'language' && query['searchfilter'] !== undefined) return false
  return value !== undefined && value !== false && value !== defaults[name]
}

function idleOf({ plan, choice, isGrouped }: Listed, query: Query): readonly Idle[] {
  const { filters, idleOrders, isBare, wantsIds } = plan
  const shown = filters.filter(onlyShows)
  const looks = shown.filter(({ order }) => order === undefined)
  const ordered = { names: idleOrders, where: 'where another order or a geographic filter decides' }
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
    ? { names: ofPages, where: 'where all matches are answered' }
    : { names: query['cursor'] === undefined ? [] : ['pagenumber'], where: 'beside cursor' }
  const { name, ignores } = choice.format
  const ofFormat = [...formatIn(choice, query), ...ignores]
  if (!isGrouped) return [{ names: ofFormat, where: `in the format ${name}` }, around, ordered]
  const ofItems = ['fields', 'seed', 'getasidarray', ...namesOf(shown)]
  return [
    { names: ofItems, where: 'where records are grouped' },
    { names: ofFormat, where: `in the format ${name}` },
    around,
  ]
}

const namesOf = (clauses: ListPlan['filters']) => clauses.map(({ parameter }) => parameter)

/** The parameter `format`, where the answer is in another one. */
function formatIn({ format }: Choice, { format: named }: Query): readonly string[] {
  return typeof named !== 'string' || isNamed(format, named) ? [] : ['format']
}
