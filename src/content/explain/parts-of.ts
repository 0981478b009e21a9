import type { Sql } from '../../sql/index.ts'
import { AppError } from '../../errors/index.ts'
import type { Clause } from '../filters/index.ts'
import type { ListPlan } from '../list/plan.ts'
import { compileExpression, parseRawFilter, printExpression } from '../rawfilter/index.ts'
import type { Expression } from '../rawfilter/index.ts'

/** A condition inside an expression. */
export type Part = {
  readonly text: string
  readonly condition: Sql
  readonly expression: Expression
}

export type Counted<Of> = Of & { readonly matches: number }

/** A clause with its counts, as hints look at it. */
export type CountedClause = Counted<Clause> & { readonly parts: readonly Counted<Part>[] }

const most = 20

/**
 * What an expression consists of: the operands of its outermost `and` or `or`. One that has none is
 * its own only part.
 */
export function partsOf(
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

/** The canonical text may be longer than what callers may write, where quotes were doubled. */
function read(text: string): Expression | undefined {
  try {
    return parseRawFilter(text).expression
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
