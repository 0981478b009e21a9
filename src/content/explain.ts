import { Type } from 'typebox'
import type { Static } from 'typebox'
import { AppError } from '../errors/index.ts'
import { nearest } from '../lang/index.ts'
import { all, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { Clause } from './filters/index.ts'
import { countableOf } from './list/load-page.ts'
import type { ListPlan } from './list/plan.ts'
import {
  compileExpression,
  isHidden,
  parseRawFilter,
  printExpression,
  printValue,
  toStoredField,
} from './rawfilter/index.ts'
import type { Expression, Field, Value } from './rawfilter/index.ts'
import { tableOf } from './table.ts'

const part = {
  Canonical: Type.String({ description: 'The condition as the hub understood it' }),
  Matches: Type.Integer({ description: 'Records that match this filter alone' }),
}

/** A filter as the hub parsed it, and how many of the records visible to the caller match it. */
const explainedFilter = Type.Object({
  ...part,
  Parameter: Type.String(),
  Parts: Type.Array(Type.Object(part)),
  Hints: Type.Array(Type.String({ description: 'Likely intended value' })),
})

/** The response of a list with `explain=true`, instead of records. */
export const explanation = Type.Object({
  TotalResults: Type.Integer({ description: 'Records that match all filters' }),
  Visible: Type.Integer({ description: 'Records that the caller can see without any filter' }),
  Filters: Type.Array(explainedFilter),
  Order: Type.Array(Type.String({ description: 'Sort order of the list; - means descending' })),
})
export type Explanation = Static<typeof explanation>

/**
 * Explains a planned list: its filters in canonical form, how many records each of them matches on
 * its own, and hints. All counts respect the caller's rights and come from one statement, so that
 * they are consistent with each other.
 */
export async function explainList(deps: Explaining, plan: ListPlan): Promise<Explanation> {
  const filters = plan.filters
    .filter(({ parameter }) => parameter !== 'rawsort')
    .map((clause) => ({ clause, parts: partsOf(clause, plan) }))
  const conditions = filters.flatMap(({ clause, parts }) => [clause, ...parts])
  const { visible, together, alone } = await loadCounts(deps, plan, conditions)
  let next = 0
  const explained: Static<typeof explainedFilter>[] = []
  for (const { clause, parts } of filters) {
    const matches = alone[next] ?? 0
    const counted = parts.map((part, place) => ({ ...part, matches: alone[next + 1 + place] ?? 0 }))
    next += 1 + parts.length
    explained.push({
      Parameter: clause.parameter,
      Canonical: clause.text,
      Matches: matches,
      Parts: counted.map(toExplainedPart),
      Hints: await hintsFor(deps, plan, { ...clause, matches, parts: counted }),
    })
  }
  return { TotalResults: together, Visible: visible, Filters: explained, Order: orderOf(plan) }
}

const toExplainedPart = ({ text, matches }: Counted<Part>) => ({
  Canonical: text,
  Matches: matches,
})

async function hintsFor(
  deps: Explaining,
  plan: ListPlan,
  clause: CountedClause,
): Promise<string[]> {
  const hints = [tagHints, axesHints, arrayHints]
  const found: string[] = []
  for (const hint of hints) found.push(...(await hint(deps, plan, clause)))
  return found
}

function orderOf({ keys }: ListPlan): string[] {
  return keys.map(({ name, direction }) => (direction === 'descending' ? `-${name}` : name))
}

/**
 * Suggests swapped axes if an area matches no record, but would match one with latitude and
 * longitude swapped.
 */
async function axesHints(
  { database, visible }: Explaining,
  { entity }: ListPlan,
  { parameter, swapped, matches }: CountedClause,
): Promise<readonly string[]> {
  if (swapped === undefined || matches > 0) return []
  const [row] = await database.query<{ found: boolean }>(sql`
    select exists (
      select from ${tableOf(entity)} where ${visible} and ${swapped}) as found`)
  if (row?.found !== true) return []
  const order = parameter === 'polygon' ? ': longitude comes first, as in 11.35 46.5' : ''
  return [`Latitude and longitude seem to be swapped${order}.`]
}

const maxTags = 20
const maxEstimatedRows = 500
const maxNamed = 3

/** Names the unknown tags of a tag filter, and suggests similar ones. */
async function tagHints(
  { database }: Explaining,
  { entity }: ListPlan,
  { parameter, text }: CountedClause,
): Promise<readonly string[]> {
  if (parameter !== 'tagfilter' && parameter !== entity.naming.tagFilter) return []
  const written = tagsIn(text)
  const unknown = await database.query<{ id: string }>(sql`
    select written.id from unnest(${written}::text[]) as written (id)
    where not exists (select from content.tag where tag.id = written.id and not closed)`)
  const hints: string[] = []
  for (const { id } of unknown) hints.push(await hintFor(database, id))
  return hints
}

/** Returns the first tags in `or(a,b)`, `and(a,b)` or a plain list. */
function tagsIn(text: string): readonly string[] {
  const list = /^(?:and|or)\((.*)\)$/s.exec(text)?.[1] ?? text
  return list.split(',').slice(0, maxTags)
}

async function hintFor(database: Queryable, id: string): Promise<string> {
  const like = new Set(await loadLike(database, id))
  const found: string[] = []
  while (found.length < maxNamed) {
    const next = nearest(id, like)
    if (next === undefined) break
    found.push(next)
    like.delete(next)
  }
  const meant = found.length === 0 ? 'See /v1/Tag.' : `Did you mean ${found.join(', ')}?`
  return `There is no tag ${id}. ${meant}`
}

/** Loads the candidates for suggestions: open tags of about the same length. */
async function loadLike(database: Queryable, id: string): Promise<readonly string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from content.tag
    where not closed and abs(length(id) - ${id.length}) <= ${Math.ceil(id.length / 3)}
    order by abs(length(id) - ${id.length}), id limit ${maxEstimatedRows}`)
  return rows.map((row) => row.id)
}

/** Number of records that are sampled to detect the type of a field. */
const sample = 200

/**
 * Explains comparisons of a scalar with an array, which are never equal, and how to compare with
 * the elements instead.
 */
async function arrayHints(
  deps: Explaining,
  plan: ListPlan,
  { parts }: CountedClause,
): Promise<readonly string[]> {
  const fruitless = parts.filter(({ matches }) => matches === 0)
  const hints: string[] = []
  for (const comparison of fruitless.flatMap(({ expression }) => comparisonsIn(expression))) {
    const depth = await loadDepth(deps, plan, comparison.field)
    if (depth !== undefined) hints.push(toHint(plan, comparison, depth))
  }
  return hints
}

type Compared = { readonly field: Field; readonly text: string }

/** Returns the comparisons with a scalar in an expression, at any depth. */
function comparisonsIn(expression: Expression): readonly Compared[] {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.of.flatMap(comparisonsIn)
    case 'not':
      return comparisonsIn(expression.of)
    case 'comparison':
      return isScalar(expression.value)
        ? [{ field: expression.field, text: printValue(expression.value) }]
        : []
    default:
      return []
  }
}

function isScalar({ kind }: Value): boolean {
  return kind !== 'emptyArray' && kind !== 'time'
}

/**
 * Returns how many names of the path lead to an array in one of the sampled records; undefined if
 * there is none.
 */
async function loadDepth(
  { database, visible }: Explaining,
  { entity, reduced }: ListPlan,
  field: Field,
): Promise<number | undefined> {
  const stored = toStoredField(field, { entity, naming: entity.naming, isReduced: reduced })
  // The structure of a withheld field is withheld, too.
  if (isHidden(stored)) return undefined
  const { names } = stored
  const kinds = names.map(
    (_, place) =>
      sql`bool_or(jsonb_typeof(data #> ${names.slice(0, place + 1)}::text[]) = 'array')::text`,
  )
  const [row = []] = await database.texts(sql`
    select ${join(kinds, ', ')}
    from (select data from ${tableOf(entity)} where ${visible} limit ${sample}) as first`)
  // A numeric step is meant to lead into an array, so it needs no hint.
  const isIndex = (place: number) => /^-?\d+$/.test(names[place] ?? '')
  const depth = row.findIndex((isArray, place) => isArray === 'true' && !isIndex(place + 1)) + 1
  return depth === 0 ? undefined : depth
}

function toHint({ entity }: ListPlan, { field, text }: Compared, depth: number): string {
  const { names } = toStoredField(field, { entity, naming: entity.naming })
  const array = names.slice(0, depth).join('.')
  const inside = [array, '[*]', ...names.slice(depth)].join('.')
  return `${array} holds an array, which is compared as a whole. To look inside: in(${inside},${text}).`
}

type Explaining = {
  readonly database: Queryable
  readonly visible: Sql
}

type Conditioned = { readonly condition: Sql }

type Counts = {
  readonly visible: number
  readonly together: number
  /** One count per condition, in the same order. */
  readonly alone: readonly number[]
}

/**
 * Counts the visible records that match each condition on its own. These are separate counts and
 * not one scan, so that each can use its index, but one statement, so that all see the same
 * snapshot.
 */
async function loadCounts(
  deps: Explaining,
  plan: ListPlan,
  conditions: readonly Conditioned[],
): Promise<Counts> {
  const wanted = [
    deps.visible,
    ...conditions.map(({ condition }) => all([deps.visible, condition])),
  ]
  const [everything = sql``, ...each] = wanted.map(
    (condition) => sql`${tableOf(plan.entity)} where ${condition}`,
  )
  const counts = [everything, countableOf(plan), ...each].map(
    (matches) => sql`(select count(*) from ${matches})`,
  )
  const [row = []] = await deps.database.texts(sql`select ${join(counts, ', ')}`)
  const [visible = 0, together = 0, ...alone] = row.map(Number)
  return { visible, together, alone }
}

/** A part of a `rawfilter` that is counted on its own. */
type Part = {
  readonly text: string
  readonly condition: Sql
  readonly expression: Expression
}

type Counted<Of> = Of & { readonly matches: number }

/** A clause with its counts, from which hints are derived. */
type CountedClause = Counted<Clause> & { readonly parts: readonly Counted<Part>[] }

const most = 20

/**
 * Splits a `rawfilter` into the first operands of its outermost `and` or `or`. Any other expression
 * is its own only part. Other filters have no parts.
 */
function partsOf(
  { parameter, text }: Clause,
  { entity, reduced }: Pick<ListPlan, 'entity' | 'reduced'>,
): readonly Part[] {
  const expression = parameter === 'rawfilter' ? read(text) : undefined
  if (expression === undefined) return []
  const isList = expression.kind === 'and' || expression.kind === 'or'
  const scope = { entity, naming: entity.naming, isReduced: reduced }
  return (isList ? expression.of : [expression]).slice(0, most).map((part) => ({
    text: printExpression(part),
    condition: compileExpression(part, scope),
    expression: part,
  }))
}

/**
 * Parses canonical text. Undefined if it exceeds the length limit for callers, because doubled
 * quotes may have made it longer.
 */
function read(text: string): Expression | undefined {
  try {
    return parseRawFilter(text).expression
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
