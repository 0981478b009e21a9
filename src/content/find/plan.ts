import { requirePrincipal } from '../../access/index.ts'
import type { Principal } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import { parseObject } from '../../lang/json.ts'
import { all, any, identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { versionOfDataset } from '../../storage/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { entityOfType, needsToken } from '../entity-types.ts'
import type { Entity, References } from '../entity.ts'
import { parseStoredFields } from '../representation.ts'
import type { FieldPath } from '../representation.ts'
import { locationFilter } from '../filters/every-list.ts'
import { rejected } from '../filters/values.ts'
import { planList } from '../list/plan.ts'
import type { Caller, ListPlan } from '../list/plan.ts'
import { parseRawFilter, sortedAt, toStoredField } from '../rawfilter/index.ts'
import { parseRawSort } from '../rawsort.ts'
import type { RawSort } from '../rawsort.ts'
import type { ReadDeps } from '../read-deps.ts'
import { foldDigraphs, searchCondition, toFolded } from '../search.ts'
import { tableOf } from '../table.ts'
import type { FindQuery } from './operation.ts'

/** Text to search for, and fields to search besides titles and identifiers. */
export type Search = {
  readonly folded: string
  /** Languages of the texts to search, besides texts without a language; empty: all. */
  readonly languages: readonly string[]
  readonly ids: readonly string[]
  /** Fields to search, with `*` for the language. */
  readonly members: readonly string[]
}

type SearchQuery = Pick<FindQuery, 'q' | 'language' | 'searchbasetext' | 'filteronfields'>

/**
 * Parses a search.
 * @throws AppError HUB-QRY-001 without a text to search for, or for a path that does not lead to a
 *   single field
 */
export function toSearch(
  { q, language, searchbasetext, filteronfields = [] }: SearchQuery,
  names: Pick<Entity, 'naming'>,
): Search {
  const folded = toFolded('q', q)
  const id = q.trim()
  return {
    folded,
    languages: language === undefined ? [] : [language],
    ids: [...new Set([id, id.toLowerCase(), id.toUpperCase()])],
    members: [
      ...(searchbasetext ? ['Detail.*.BaseText'] : []),
      ...parseStoredFields(filteronfields, names, 'filteronfields').map(toMember),
    ],
  }
}

function toMember({ text, steps }: FieldPath): string {
  const names = steps.flatMap((step) => {
    if (step.kind === 'member') return [step.name]
    return step.kind === 'every' ? ['*'] : []
  })
  const stars = names.filter((name) => name === '*')
  const isPlain = names.length === steps.length && names.every((name) => !name.includes('.'))
  if (isPlain && stars.length <= 1 && names[0] !== '*') return names.join('.')
  throw rejected({
    parameter: 'filteronfields',
    detail: `has ${text}, which does not lead to a single field`,
    expected: ['Shortname', 'Detail.en.SubHeader', 'Detail.*.SubHeader'],
  })
}

/** Returns the condition of a match. Fields that the caller does not see are not searched. */
function matches(
  search: Search,
  { entity, reduced }: { readonly entity: Entity; readonly reduced: boolean },
): Sql {
  const { folded, languages, ids } = search
  const inTitles = searchCondition(folded, { languages, ids })
  const members = search.members.filter(
    (member) =>
      !isTitle(member, { entity, languages }) &&
      !(reduced && entity.closedFields.includes(member.split('.')[0] ?? '')),
  )
  if (members.length === 0) return inTitles
  const pattern = toPattern(search, { before: '.*', after: '' })
  return any([inTitles, sql`content_titles(data, ${members}::text[]) ~ ${pattern}`])
}

/**
 * Reports whether the index of titles contains everything in the field. If it does not, whole
 * records must be read, which takes seconds.
 */
function isTitle(
  member: string,
  { entity, languages }: Pick<Search, 'languages'> & { readonly entity: Entity },
): boolean {
  const ofAnyLanguage = member.replace(/\.[a-z]{2,3}(?=\.|$)/, '.*')
  // A path to a single language has no language of its own and matches whichever is requested.
  const isWhole = languages.length === 0 && entity.titles.includes(ofAnyLanguage)
  return isWhole || entity.titles.includes(member)
}

/**
 * SQL for the rank of a match, 0 being the best: the whole title or identifier, its start, the
 * start of a word, any part.
 */
function relevance(search: Search): Sql {
  return sql`case
    when id = any(${search.ids}::text[]) or titles ~ ${toPattern(search, { before: '', after: '$' })} then 0
    when titles ~ ${toPattern(search, { before: '', after: '' })} then 1
    when titles ~ ${toPattern(search, { before: `.*[${betweenWords}]`, after: '' })} then 2
    else 3 end`
}

const betweenWords = ' !"#$%&\'()*+,./:;<=>?@_{|}~`\\-\\[\\]\\\\\\^«»„“”‚‘’–—…·'

/**
 * Returns a pattern for a line of a title, as `content_titles` writes it. `(?n)` keeps the match
 * within the line.
 */
function toPattern(
  { folded, languages }: Search,
  around: { readonly before: string; readonly after: string },
): string {
  const forms = [...new Set([folded, foldDigraphs(folded)])].map((form) =>
    form.replace(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`),
  )
  const tongues = languages.map((language) => language.toUpperCase()).join('|')
  const begin = tongues === '' ? '' : `^(${tongues})?`
  return `(?n)${begin}\t${around.before}(${forms.join('|')})${around.after}`
}

/** Part of a plan that concerns one entity. */
export type Branch = {
  readonly list: ListPlan
  /** Condition of a match, including the caller's rights. */
  readonly where: Sql
  /** Rank of a match; 0 for the best matches. */
  readonly rank: Sql
  /** JSON values that `rawsort` sorts by. */
  readonly keys: readonly Sql[]
}

export type FindPlan = {
  readonly branches: readonly Branch[]
  readonly directions: readonly ('ascending' | 'descending')[]
  readonly limitTo: number | undefined
  readonly pageNumber: number
  readonly pageSize: number
}

type Asking = {
  readonly principal: Principal
  readonly caller: Caller
  readonly entities: readonly Entity[]
  readonly search: Search | undefined
  readonly rawfilter?: string | undefined
  readonly locfilter?: readonly string[] | undefined
  readonly rawsort?: string | undefined
  readonly limitto?: number | undefined
  readonly pagenumber: number
  readonly pagesize: number
}

/**
 * Returns the entities to search: the named ones, or all that the caller may read.
 * @throws AppError for anything that is not an entity, and without a token for an entity that
 *   requires one
 */
export function chooseEntities(
  { entities, profile = 'strict' }: ReadDeps,
  types: readonly string[] | undefined,
  principal: Principal,
): readonly Entity[] {
  const isOpen = (entity: Entity) => principal.kind === 'verified' || !needsToken(entity, profile)
  if (types === undefined || types.length === 0) return entities.filter(isOpen)
  const named = new Set(types.map((type) => entityOfType(entities, type)))
  const chosen = entities.filter((entity) => named.has(entity))
  if (!chosen.every(isOpen)) requirePrincipal(principal)
  return chosen
}

/** Plans a request. The caller's rights are conditions of the query of each entity. */
export async function planFind(deps: ReadDeps, asking: Asking): Promise<FindPlan> {
  const { database, profile = 'strict', now } = deps
  const { caller, principal, pagenumber, pagesize, rawfilter } = asking
  const sort = asking.rawsort === undefined ? { keys: [] } : parseRawSort(asking.rawsort)
  const planning = {
    ...caller,
    database,
    profile,
    principal,
    ...(now === undefined ? {} : { now }),
  }
  const query = { rawfilter, pagenumber, pagesize, getasidarray: false, removenullvalues: false }
  const isThere = await placeCondition(asking, planning)
  const branches: Branch[] = []
  for (const entity of asking.entities) {
    const list = await planList(entity, query, planning)
    branches.push(toBranch(list, { isThere, search: asking.search, sort }))
  }
  const [first] = branches
  return {
    branches,
    directions: sort.keys.map(({ direction }) => direction),
    limitTo: asking.limitto,
    pageNumber: pagenumber,
    pageSize: first?.list.pageSize ?? pagesize,
  }
}

/**
 * Returns the condition for `locfilter`. It is resolved once for all entities; further places that
 * some lists accept have no meaning for the others.
 */
async function placeCondition(
  { entities: [entity], principal, locfilter }: Asking,
  planning: References & Pick<ReadDeps, 'now'>,
): Promise<Sql> {
  if (entity === undefined || locfilter === undefined) return sql`true`
  const { now } = planning
  const reading = locationFilter.read({ entity, query: { locfilter }, principal, now })
  const meaning = typeof reading === 'function' ? await reading(planning) : reading
  return meaning?.condition ?? sql`true`
}

type BranchQuery = {
  readonly isThere: Sql
  readonly search: Search | undefined
  readonly sort: RawSort
}

function toBranch(list: ListPlan, { isThere, search, sort }: BranchQuery): Branch {
  const { entity, reduced, where } = list
  const scope = { entity, naming: entity.naming, isReduced: reduced }
  return {
    list,
    where: all([where, isThere, ...(search === undefined ? [] : [matches(search, list)])]),
    rank: search === undefined ? sql`0` : relevance(search),
    keys: sort.keys.map(({ field }) => sortedAt(toStoredField(field, scope))),
  }
}

/**
 * Parses an expression only to report its faults under the name of its parameter.
 * @throws AppError HUB-QRY-005
 */
export function assertExpression(expression: string): void {
  try {
    parseRawFilter(expression)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, hint, issues } = error
    throw new AppError(code, message.replace(/^rawfilter/, 'expression'), {
      issues: issues.map((issue) => ({ ...issue, parameter: 'expression' })),
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    })
  }
}

/** Record that was found: the index of its entity in the plan, and its identifier. */
type Found = readonly [place: number, id: string]

/**
 * Records of a page, their total number, and the version of the datasets for which both are true.
 */
type FoundPage = {
  readonly version: string
  /** Number of records by the index of their entity in the plan. */
  readonly counts: ReadonlyMap<number, number>
  /** Records of the page in their order, in chunks of JSON text. */
  readonly chunks: readonly string[]
}

/** Number of records that are held in memory, and that one statement loads. */
const recordsPerChunk = 100

/** Loads the version of all the datasets together, as a text to compare. */
export async function loadVersion(database: Queryable, plan: FindPlan): Promise<string> {
  const [row] = await database.texts(sql`select ${versionOf(plan)}`)
  return row?.[0] ?? ''
}

/**
 * Finds the records of a page in one statement. It reads all entities in one snapshot, so totals
 * and order are consistent with the page. The order ends with type and identifier, so pages never
 * overlap (decision D4).
 */
export async function loadFound(database: Queryable, plan: FindPlan): Promise<FoundPage> {
  const { pageNumber, pageSize, branches } = plan
  const order = orderOf(plan)
  const offset = BigInt(pageNumber - 1) * BigInt(pageSize)
  const rows = await database.texts(sql`
    with matches as materialized (${unionOf(branches.map((_, place) => branchOf(plan, place)))})
    select version, counts, chunk
    from (
      select ${versionOf(plan)} as version,
        (select json_object_agg(place, count)
          from (select place, count(*) as count from matches group by place) as counted) as counts
    ) as dataset
    left join (
      select (number - 1) / ${recordsPerChunk}::bigint as part,
        json_agg(json_build_array(place, id) order by number) as chunk
      from (
        select place, id, row_number() over (order by ${order}) as number
        from (
          select * from matches order by ${order}
          limit ${pageSize}::bigint offset least(${String(offset)}::numeric, 9e18)::bigint) as page) as numbered
      group by part) as chunks on true
    order by part`)
  return {
    version: rows[0]?.[0] ?? '',
    counts: toCounts(rows[0]?.[1] ?? '{}'),
    chunks: rows.flatMap(([, , chunk]) => (typeof chunk === 'string' ? [chunk] : [])),
  }
}

function versionOf({ branches }: FindPlan): Sql {
  const names = branches.map(({ list }) => list.entity.name)
  return sql`(
    select string_agg(${versionOfDataset(sql`name`)}, ' ' order by name)
    from unnest(${names}::text[]) as dataset (name))`
}

function branchOf(plan: FindPlan, place: number): Sql {
  const branch = plan.branches[place]
  if (branch === undefined) throw new RangeError(`no entity ${String(place)}`)
  const { list, where, rank } = branch
  const rows = sql`
    select ${place}::integer as place, id, ${rank} as rank${keysOf(branch)}
    from ${tableOf(list.entity)} where ${where}`
  if (plan.limitTo === undefined) return rows
  return sql`(select * from (${rows}) as found order by ${orderOf(plan)} limit ${plan.limitTo})`
}

function keysOf({ keys }: Branch): Sql {
  return keys.reduce((before, key, index) => sql`${before}, ${key} as ${keyAt(index)}`, sql``)
}

const keyAt = (index: number) => identifier(`key ${String(index)}`)

function unionOf(parts: readonly Sql[]): Sql {
  return parts.reduce((before, part) => sql`${before} union all ${part}`)
}

/**
 * SQL for the order: the keys of `rawsort`, then the rank, the entity and the identifier. Missing
 * values sort after all others, or before them in descending order.
 */
function orderOf({ directions }: FindPlan): Sql {
  const keys = directions.map((direction, index) => {
    const key = keyAt(index)
    return direction === 'ascending'
      ? sql`(${key} is null), ${key}`
      : sql`(${key} is null) desc, ${key} desc`
  })
  return join([...keys, sql`rank`, sql`place`, sql`id`], ', ')
}

function toCounts(text: string): ReadonlyMap<number, number> {
  const entries = Object.entries(parseObject(text))
  return new Map(entries.map(([place, count]) => [Number(place), Number(count)]))
}

/** Parses the records of a chunk, in order. */
export function parseChunk(chunk: string): readonly Found[] {
  const found: unknown = JSON.parse(chunk)
  if (!Array.isArray(found)) return []
  return found.flatMap((one: unknown): readonly Found[] =>
    Array.isArray(one) ? [[Number(one[0]), String(one[1])]] : [],
  )
}
