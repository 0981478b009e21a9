import type { Expression, List, Literal } from './lexer.ts'
import { quote } from './lexer.ts'

/** The canonical text of an expression: reading it again gives the same expression. */
export function printWhere(expression: Expression): string {
  if (expression.kind !== 'clause') {
    return `${expression.kind}(${expression.of.map(printWhere).join(',')})`
  }
  const { operand, operator, value } = expression
  return [operand.name, ...operand.path, operator, printValue(value)].join('.')
}

function printValue(value: Literal | List): string {
  return value.kind === 'list' ? `(${value.items.map(printScalar).join(',')})` : printScalar(value)
}

function printScalar(scalar: Literal): string {
  switch (scalar.kind) {
    case 'null':
      return 'null'
    case 'boolean':
    case 'number':
      return String(scalar.value)
    case 'text':
      return quote(scalar.value)
    case 'time':
      return scalar.value
  }
}
