import { LanguageError, nearest, toRegex } from '../../lang/index.ts'
import type { Clause, List, Literal } from './ast.ts'
import {
  comparable,
  kindNames,
  memberships,
  operatorsOf,
  patterns,
  places,
  targetNames,
} from './operators.ts'
import type { TargetKind } from './operators.ts'
import { quote } from './read-value.ts'
import { meaningless } from './rejected-where.ts'

/**
 * Makes sure that a clause can be tested: its operator takes such a value, and the value is of the
 * type that its field holds (reference 2.4, decision D45).
 * @throws AppError HUB-QRY-008
 */
export function assertFits(clause: Clause, target: TargetKind): void {
  const { value } = clause
  assertOperator(clause, target)
  if (value.kind !== 'list') {
    assertComparable(clause, target, value)
    assertPattern(clause, value)
  } else if (target === 'geometry') {
    assertPlace(clause, value)
  } else {
    for (const item of value.items) assertComparable(clause, target, item)
  }
}

function assertOperator({ operator, value, span }: Clause, target: TargetKind): void {
  const expected = operatorsFor(target, value)
  if (expected.includes(operator)) return
  const meant = nearest(operator, expected)
  const name = value.kind === 'list' ? 'a list' : kindNames[value.kind]
  throw meaningless(span, {
    detail: `The operator ${operator} cannot stand between ${describe(target)} and ${name}`,
    expected,
    ...(meant === undefined ? {} : { hint: `Did you mean ${meant}?` }),
  })
}

const describe = (target: TargetKind) => targetNames[target].split(':')[0] ?? ''

function operatorsFor(target: TargetKind, value: Literal | List): readonly string[] {
  if (value.kind !== 'list') return operatorsOf[value.kind]
  if (target === 'geometry') return places
  return target === 'json' ? [] : memberships
}

function assertComparable({ operand }: Clause, target: TargetKind, value: Literal): void {
  const kinds = comparable[target]
  if (value.kind === 'null' || kinds.includes(value.kind)) return
  const quoted = kinds.includes('text') ? quoteOf(value) : undefined
  const { name } = operand
  throw meaningless(value.span, {
    detail: `${name} holds ${targetNames[target].replace('{name}', name)}, not ${kindNames[value.kind]}`,
    expected: [...kinds.map((kind) => kindNames[kind]), 'null'],
    ...(quoted === undefined ? {} : { hint: `As a text it is written ${quoted}` }),
  })
}

function quoteOf(value: Literal): string | undefined {
  return value.kind === 'null' ? undefined : quote(String(value.value))
}

function assertPattern({ operator }: Clause, value: Literal): void {
  if (value.kind !== 'text' || !patterns.includes(operator)) return
  try {
    toRegex(value.value)
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    const { message, expected, hint } = error
    throw meaningless(value.span, {
      detail: `The regular expression cannot be read: ${message.replace(/\.$/, '')}`,
      expected,
      hint: hint ?? 'In a where, a backslash is written twice: "\\\\d+"',
    })
  }
}

const sizes: Readonly<
  Record<string, { readonly counts: readonly number[]; readonly form: string }>
> = {
  bbi: { counts: [4, 5], form: 'x1,y1,x2,y2[,srid]' },
  bbc: { counts: [4, 5], form: 'x1,y1,x2,y2[,srid]' },
  dlt: { counts: [3, 4], form: 'metres,x,y[,srid]' },
}

const largestSrid = 999_999

/** The numbers of a geographic operator: longitude, or x, comes first (interface 4.9). */
function assertPlace({ operator, operand }: Clause, { items, span }: List): void {
  const { counts, form } = sizes[operator] ?? { counts: [], form: '' }
  const numbers = items.flatMap((item) => (item.kind === 'number' ? [item.value] : []))
  const srid = numbers[counts[0] ?? 0] ?? 4326
  const isSrid = Number.isInteger(srid) && srid > 0 && srid <= largestSrid
  const fits = counts.includes(items.length) && numbers.length === items.length
  if (fits && isSrid && numbers.every(Number.isFinite)) return
  throw meaningless(span, {
    detail: `${operator} takes ${counts.join(' or ')} numbers: ${form}`,
    expected: [`${operand.name}.${operator}.(${form})`],
    hint: 'Longitude comes first; without a number of the reference system it is 4326.',
  })
}
