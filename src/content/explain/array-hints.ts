import { join, sql } from '../../sql/index.ts'
import type { ListPlan } from '../list/plan.ts'
import { isHidden, printValue, toStoredField } from '../rawfilter/index.ts'
import type { Expression, Field, Value } from '../rawfilter/index.ts'
import { tableOf } from '../table.ts'
import type { Explaining } from './load-counts.ts'
import type { CountedClause } from './parts-of.ts'

/** So many records tell what a field is. */
const sample = 200

/** Scalars that are compared with an array, which never equals one, and how to look inside. */
export async function arrayHints(
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

/** The comparisons that a part consists of. */
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

/** How many names lead to an array in one of the first records; nothing where none does. */
async function loadDepth(
  { database, visible }: Explaining,
  { entity, reduced }: ListPlan,
  field: Field,
): Promise<number | undefined> {
  const stored = toStoredField(field, { entity, naming: entity.naming, isReduced: reduced })
  // What is withheld from the caller has no form either.
  if (isHidden(stored)) return undefined
  const { names } = stored
  const kinds = names.map(
    (_, place) =>
      sql`bool_or(jsonb_typeof(data #> ${names.slice(0, place + 1)}::text[]) = 'array')::text`,
  )
  const [row = []] = await database.texts(sql`
    select ${join(kinds, ', ')}
    from (select data from ${tableOf(entity)} where ${visible} limit ${sample}) as first`)
  // What a number leads into is no surprise.
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
