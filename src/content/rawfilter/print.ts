import type { Expression, Field, RawFilter, Value } from './ast.ts'
import { printNumber } from './lexer.ts'

/**
 * Prints the canonical text: no spaces, single quotes, times with a zone. Parsing it gives the same
 * filter.
 */
export function printRawFilter({ expression }: RawFilter): string {
  return printExpression(expression)
}

/** Prints the canonical text of an expression. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return call(expression.kind, expression.of.map(printExpression))
    case 'not':
      return call('not', [printExpression(expression.of)])
    case 'presence':
      return call(expression.test, [printField(expression.field)])
    case 'membership':
      return call(expression.test, [
        printField(expression.field),
        ...expression.values.map(printValue),
      ])
    case 'likeness':
      return call('likein', [printField(expression.field), ...expression.patterns.map(printText)])
    case 'like':
      return call('like', [printField(expression.field), printText(expression.pattern)])
    case 'comparison':
      return call(expression.operator, [printField(expression.field), printValue(expression.value)])
  }
}

export function printField({ segments }: Pick<Field, 'segments'>): string {
  return segments.map((segment) => (segment.kind === 'each' ? '[*]' : segment.name)).join('.')
}

function call(name: string, parts: readonly string[]): string {
  return `${name}(${parts.join(',')})`
}

export function printValue(value: Value): string {
  switch (value.kind) {
    case 'boolean':
      return String(value.value)
    case 'number':
      return printNumber(value.value)
    case 'text':
      return printText(value.value)
    case 'time':
      return `dt${printText(value.value)}`
    case 'emptyArray':
      return '[]'
  }
}

function printText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
