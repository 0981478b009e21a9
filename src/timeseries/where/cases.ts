import type { Scalar } from './ast.ts'

/**
 * Expressions and what they are read as, for the tests of every stage (reference 3a). `strict` says
 * what becomes of them where texts need quotes.
 */
export type WhereCase = {
  readonly source: string
  readonly name: string
  readonly path?: readonly string[]
  readonly operator: string
  readonly value: Scalar | readonly Scalar[]
  readonly needsQuotes?: boolean
}

const text = (value: string): Scalar => ({ kind: 'text', value })
const number = (value: number): Scalar => ({ kind: 'number', value })
const time = (value: string): Scalar => ({ kind: 'time', value })
const nothing: Scalar = { kind: 'null' }

const plain = { name: 'a', operator: 'eq' }
const unquoted = { ...plain, needsQuotes: true }
const later = { name: 'a', operator: 'gt' }
const power = { name: 'smetadata', path: ['outlets', '0', 'maxPower'], operator: 'gt' }
const wording = { name: 'smetadata', path: ['outlets', '0', 'type'], operator: 'ire' }

export const whereCases: readonly WhereCase[] = [
  { source: 'a.eq.', ...unquoted, value: text('') },
  { source: 'a.eq.""', ...plain, value: text('') },
  { source: 'a.eq.null', ...plain, value: nothing },
  { source: 'a.eq."null"', ...plain, value: text('null') },
  { source: 'a.eq.NULL', ...unquoted, value: text('NULL') },
  { source: 'a.eq.True', ...plain, value: { kind: 'boolean', value: true } },
  { source: 'a.eq.1\\.and\\(33\\)', ...unquoted, value: text('1.and(33)') },
  { source: 'a.eq.1\\.2', ...plain, value: number(1.2) },
  { source: 'a.eq.007', ...plain, value: number(7) },
  { source: 'a.eq.1d', ...plain, value: number(1) },
  { source: 'a.eq. 5', ...plain, value: number(5) },
  { source: 'a.eq.-0', ...plain, value: number(0) },
  { source: 'a.eq.NaN', ...plain, value: number(Number.NaN) },
  { source: 'a.eq.nan', ...unquoted, value: text('nan') },
  { source: 'a.EQ."x"', ...plain, value: text('x') },
  { source: 'a_b.eq.ABC', ...unquoted, name: 'a_b', value: text('ABC') },
  { source: 'a.eq."p,3 (x)"', ...plain, value: text('p,3 (x)') },
  { source: 'a.eq."p\\,3 \\(x\\)"', ...plain, value: text('p,3 (x)') },
  { source: 'a.eq."it\\\'s \\"so\\" \\\\"', ...plain, value: text('it\'s "so" \\') },
  { source: 'a.eq.http://x.y', ...unquoted, value: text('http://x.y') },
  { source: 'a.bbi.(1,2.3,7.0000)', name: 'a', operator: 'bbi', value: [1, 2.3, 7].map(number) },
  { source: 'a.ire.\\.*\\,3', name: 'a', operator: 'ire', needsQuotes: true, value: text('.*,3') },
  { source: 'a.gt.2024-01-15', ...later, value: time('2024-01-15T00:00:00.000Z') },
  { source: 'a.gt.2024-01-15T10.500', ...later, value: time('2024-01-15T10:00:00.500Z') },
  { source: 'a.gt.2024-01-15T10:30:00.123Z', ...later, value: time('2024-01-15T10:30:00.123Z') },
  { source: 'a.gt.2024-01-15T10:30+02:00', ...later, value: time('2024-01-15T08:30:00.000Z') },
  { source: 'a.eq."2024-01-15"', ...plain, value: text('2024-01-15') },
  { source: 'a.eq.2024-01-32', ...unquoted, value: text('2024-01-32') },
  { source: 'a.eq.2024-02-31', ...unquoted, value: text('2024-02-31') },
  { source: 'a.eq.2024', ...plain, value: number(2024) },
  { source: 'a.in.()', name: 'a', operator: 'in', needsQuotes: true, value: [text('')] },
  { source: 'a.in.(null)', name: 'a', operator: 'in', value: [nothing] },
  {
    source: 'a.in.(1,"b",null)',
    name: 'a',
    operator: 'in',
    value: [number(1), text('b'), nothing],
  },
  { source: 'a.b.c.in.("")', name: 'a', path: ['b', 'c'], operator: 'in', value: [text('')] },
  { source: 'smetadata.outlets.0.maxPower.gt.3.7', ...power, value: number(3.7) },
  { source: 'smetadata.outlets.0.maxPower.gt.-.7', ...power, value: number(-0.7) },
  { source: 'smetadata.outlets.0.maxPower.gt.-2.', ...power, value: number(-2) },
  { source: 'smetadata.outlets.0.maxPower.gt.+2', ...power, value: number(2) },
  { source: 'smetadata.outlets.0.type.ire."what.*ever"', ...wording, value: text('what.*ever') },
  {
    source: 'smetadata.outlets.0.type.ire.what.*ever',
    name: 'smetadata',
    path: ['outlets', '0', 'type', 'ire'],
    operator: 'what',
    needsQuotes: true,
    value: text('*ever'),
  },
  {
    source: 'tmetadata.signal-codes.id.in.(0,25,73)',
    name: 'tmetadata',
    path: ['signal-codes', 'id'],
    operator: 'in',
    value: [0, 25, 73].map(number),
  },
]

/** What is no `where`, and where reading it stops. */
export const malformed: readonly (readonly [source: string, position: number])[] = [
  ['a.ire.(b|c).*,d.neq.0', 11],
  ['a.eq.1.and(a.eq.0)', 5],
  ["or(a.ire.b'to.*,d.eq.0)", 10],
  ["a.eq.'b'", 5],
  ['a.eq."it\'s"', 8],
  ['a.eq."b"c', 8],
  ['a.eq."b', 7],
  ['a.eq."b\\', 7],
  ['a.in.("b"', 9],
  ['a.in.("b"c)', 9],
  ['a.in.("b", "c")', 11],
  ['a.eq.1, b.eq.1', 7],
  ['a.eq.1,', 7],
  ['and()', 4],
  ['AND(a.eq.1)', 3],
  ['and(a.eq.1', 10],
  ['and(a.eq.1))', 11],
  ['a', 1],
  ['a.', 2],
  ['a.eq', 4],
  ['a..eq.1', 2],
  ['a.b c.eq.1', 3],
  ['a.bbi(1,2,3,4)', 5],
  [' a.eq.1', 0],
]
