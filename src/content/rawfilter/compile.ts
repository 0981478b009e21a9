import { all, any, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Expression, RawFilter, Term } from './ast.ts'
import { compileComparison } from './compile-comparison.ts'
import { compileLikeness, compileMembership } from './compile-selection.ts'
import { narrowingKey } from './narrowing.ts'
import { textAt, toStoredField } from './resolve.ts'
import type { Scope } from './resolve.ts'

/**
 * The condition on a row of the entity's table, for a `where`: that of the expression, and what an index
 * can find the rows by, which may be false where the expression is unknown.
 */
export function compileRawFilter({ expression }: RawFilter, scope: Scope): Sql {
  const keys = conjunctsOf(expression).flatMap((part) => narrowingKey(part, scope) ?? [])
  return all([...keys, compileExpression(expression, scope)])
}

/** What must all hold for the whole to hold. */
function conjunctsOf(expression: Expression): readonly Expression[] {
  return expression.kind === 'and' ? expression.of.flatMap(conjunctsOf) : [expression]
}

/**
 * What an expression says of a row (reference content.md 2.2, decision D35). It is unknown, and so no
 * match, where a comparison meets no value; `not` does not change that.
 */
export function compileExpression(expression: Expression, scope: Scope): Sql {
  switch (expression.kind) {
    case 'and':
      return all(expression.of.map((part) => compileExpression(part, scope)))
    case 'or':
      return any(expression.of.map((part) => compileExpression(part, scope)))
    case 'not':
      return sql`(not ${compileExpression(expression.of, scope)})`
    default:
      return compileTerm(expression, scope)
  }
}

function compileTerm(term: Term, scope: Scope): Sql {
  const field = toStoredField(term.field, scope)
  switch (term.kind) {
    case 'comparison':
      return compileComparison(field, term)
    case 'membership':
      return compileMembership(field, term)
    case 'likeness':
      return compileLikeness(field, term)
    case 'like':
      return sql`(${textAt(field)} ilike ${contains(term.pattern)})`
    case 'presence':
      return term.test === 'isnull'
        ? sql`(${textAt(field)} is null)`
        : sql`(${textAt(field)} is not null)`
  }
}

/** `%` and `_` stay wildcards, as the reference has it; a backslash is one. */
function contains(pattern: string): string {
  return `%${pattern.replaceAll('\\', '\\\\')}%`
}
