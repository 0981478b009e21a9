import type { Expression, Field, RawFilter } from './ast.ts'

/** Every field that an expression asks about, in the order in which they are written. */
export function fieldsIn({ expression }: RawFilter): readonly Field[] {
  return fieldsOf(expression)
}

function fieldsOf(expression: Expression): readonly Field[] {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.of.flatMap(fieldsOf)
    case 'not':
      return fieldsOf(expression.of)
    default:
      return [expression.field]
  }
}
