import type { Clause, Expression } from '../../../../src/timeseries/where/lexer.ts'
import { parseWhere } from '../../../../src/timeseries/where/grammar.ts'
import { quoteForWhere, quotePattern } from '../../api/query.ts'
import { isComplete, toMembership, toRow } from './conditions.ts'
import type { Condition, Conditions, ExpressionLanguage } from './conditions.ts'
import { readRawFilterConditions, writeRawFilter } from './content-conditions.ts'

const single = {
  is: 'eq',
  isNot: 'neq',
  more: 'gt',
  atLeast: 'gteq',
  less: 'lt',
  atMost: 'lteq',
} as const

type Single = keyof typeof single

const singleNames: readonly Single[] = ['is', 'isNot', 'more', 'atLeast', 'less', 'atMost']

/** Writes rows as a `where`. Incomplete rows are left out. */
function writeWhere({ join, of }: Conditions): string {
  const written = of.filter(isComplete).map((one) => `${one.path}.${writeTest(one)}`)
  const list = written.join(',')
  return join === 'or' && written.length > 1 ? `or(${list})` : list
}

function writeTest({ comparison, kind, values }: Condition): string {
  const [first = ''] = values
  const written = values.map((value) =>
    kind === 'text' ? quoteForWhere(value) : toPlain(kind, value),
  )
  switch (comparison) {
    case 'there':
      return 'neq.null'
    case 'missing':
      return 'eq.null'
    case 'contains':
      return `ire.${quotePattern(first)}`
    case 'oneOf':
      return `in.(${written.join(',')})`
    case 'noneOf':
      return `nin.(${written.join(',')})`
    default:
      return `${single[comparison]}.${written.join('')}`
  }
}

/** Writes numbers as the hub prints them. */
function toPlain(kind: Condition['kind'], value: string): string {
  return kind === 'number' ? String(Number(value)) : value
}

/** Parses a `where` to rows. Returns undefined if it is invalid or too complex for rows. */
function readWhereConditions(text: string): Conditions | undefined {
  if (text.trim() === '') return { join: 'and', of: [] }
  const expression = parse(text)
  if (expression === undefined) return undefined
  const parts = expression.kind === 'clause' ? [expression] : expression.of
  const rows = parts.map((part) => (part.kind === 'clause' ? toCondition(part) : undefined))
  const known = rows.filter((row) => row !== undefined)
  if (known.length < rows.length) return undefined
  return { join: expression.kind === 'or' ? 'or' : 'and', of: known }
}

function parse(text: string): Expression | undefined {
  try {
    return parseWhere(text, 'required')
  } catch {
    // The hub reports the error.
    return undefined
  }
}

function toCondition({ operand, operator, value }: Clause): Condition | undefined {
  const path = [operand.name, ...operand.path].join('.')
  if (value.kind === 'list') {
    const membership = operator === 'in' ? 'oneOf' : operator === 'nin' ? 'noneOf' : undefined
    return membership && toMembership(path, membership, value.items)
  }
  if (value.kind === 'null') {
    const comparison = operator === 'eq' ? 'missing' : operator === 'neq' ? 'there' : undefined
    return comparison && { path, comparison, kind: 'text', values: [] }
  }
  if (operator === 'ire' && value.kind === 'text') {
    const plain = unescapePattern(value.value)
    if (plain === undefined) return undefined
    return { path, comparison: 'contains', kind: 'text', values: [plain] }
  }
  const comparison = singleNames.find((name) => single[name] === operator)
  const row = toRow(value)
  return comparison && row && { path, comparison, ...row }
}

/**
 * Returns the text that a regular expression matches literally, or undefined if it is not literal.
 */
function unescapePattern(pattern: string): string | undefined {
  const plain = pattern.replace(/\\([.*+?^${}()|[\]\\])/g, '$1')
  return quotePattern(plain) === quoteForWhere(pattern) ? plain : undefined
}

/** Parses an expression to rows. Returns undefined if it is invalid or too complex for rows. */
export function readConditions(language: ExpressionLanguage, text: string): Conditions | undefined {
  return language === 'where' ? readWhereConditions(text) : readRawFilterConditions(text)
}

/** Writes rows as an expression. Incomplete rows are left out. */
export function writeConditions(language: ExpressionLanguage, conditions: Conditions): string {
  return language === 'where' ? writeWhere(conditions) : writeRawFilter(conditions)
}
