import type { Expression, Term, Value } from '../../../../src/content/rawfilter/ast.ts'
import { readRawFilter } from '../../../../src/content/rawfilter/grammar.ts'
import { printField, printValue } from '../../../../src/content/rawfilter/print.ts'
import { isComplete, toMembership, toRow } from './conditions.ts'
import type { Comparison, Condition, Conditions } from './conditions.ts'

const operators = {
  is: 'eq',
  isNot: 'ne',
  more: 'gt',
  atLeast: 'ge',
  less: 'lt',
  atMost: 'le',
  contains: 'like',
  oneOf: 'in',
  noneOf: 'nin',
  there: 'isnotnull',
  missing: 'isnull',
} as const satisfies Readonly<Record<Comparison, string>>

/** Writes rows as a `rawfilter`. Incomplete rows are left out. */
export function writeRawFilter({ join, of }: Conditions): string {
  const written = of.filter(isComplete).map(writeCondition)
  return written.length > 1 ? `${join}(${written.join(',')})` : written.join('')
}

function writeCondition({ path, comparison, kind, values }: Condition): string {
  const parts = values.map((value) => printValue(toValue(kind, value)))
  return `${operators[comparison]}(${[path, ...parts].join(',')})`
}

function toValue(kind: Condition['kind'], value: string): Value {
  switch (kind) {
    case 'number':
      return { kind, value: Number(value) }
    case 'boolean':
      return { kind, value: value === 'true' }
    default:
      return { kind, value }
  }
}

/** Parses a `rawfilter` to rows. Returns undefined if it is invalid or too complex for rows. */
export function readRawFilterConditions(text: string): Conditions | undefined {
  if (text.trim() === '') return { join: 'and', of: [] }
  const expression = parse(text)
  if (expression === undefined) return undefined
  const isList = expression.kind === 'and' || expression.kind === 'or'
  const parts = isList ? expression.of : [expression]
  const of = parts.map((part) => toCondition(part))
  const known = of.filter((condition) => condition !== undefined)
  if (known.length < of.length) return undefined
  return { join: expression.kind === 'or' ? 'or' : 'and', of: known }
}

function parse(text: string): Expression | undefined {
  try {
    return readRawFilter(text).expression
  } catch {
    // The hub reports the error.
    return undefined
  }
}

function toCondition(expression: Expression): Condition | undefined {
  switch (expression.kind) {
    case 'presence': {
      const comparison = expression.test === 'isnull' ? 'missing' : 'there'
      return { ...of(expression), comparison, kind: 'text', values: [] }
    }
    case 'like':
      return {
        ...of(expression),
        comparison: 'contains',
        kind: 'text',
        values: [expression.pattern],
      }
    case 'membership':
      return toMembership(
        of(expression).path,
        expression.test === 'in' ? 'oneOf' : 'noneOf',
        expression.values,
      )
    case 'comparison': {
      const comparison = comparisonOf(expression.operator)
      const row = toRow(expression.value)
      return comparison && row && { ...of(expression), comparison, ...row }
    }
    default:
      return undefined
  }
}

const of = ({ field }: Term) => ({ path: printField(field) })

function comparisonOf(operator: string): Comparison | undefined {
  const found = Object.entries(operators).find(([, known]) => known === operator)
  const names: readonly Comparison[] = ['is', 'isNot', 'more', 'atLeast', 'less', 'atMost']
  return names.find((name) => name === found?.[0])
}
