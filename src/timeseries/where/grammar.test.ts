import { describe, expect, it } from 'vitest'
import { cpuMilliseconds } from '../../../test/fixtures/cpu-milliseconds.ts'
import { malformed, whereCases } from '../../../test/fixtures/where-cases.ts'
import { LanguageError } from '../../lang/index.ts'
import { limits, parseWhere } from './grammar.ts'
import { maxListLength } from './lexer.ts'
import type { Expression, List, Literal } from './lexer.ts'

function withoutSpan(value: Literal | List): unknown {
  if (value.kind === 'list') return value.items.map(withoutSpan)
  const { span, written, ...scalar } = value
  expect(span.end - span.start).toBeGreaterThanOrEqual(written.length)
  return scalar
}

function shape(expression: Expression): unknown {
  if (expression.kind !== 'clause') return { [expression.kind]: expression.of.map(shape) }
  const { operand, operator, value } = expression
  return { name: operand.name, path: operand.path, operator, value: withoutSpan(value) }
}

function failureOf(source: string): LanguageError {
  try {
    parseWhere(source, 'optional')
  } catch (error) {
    if (error instanceof LanguageError) return error
    throw error
  }
  throw new Error(`${source} was read`)
}

describe('where', () => {
  it.each(whereCases.map((wanted) => [wanted.source, wanted] as const))(
    'reads %s',
    (source, { name, path = [], operator, value }) => {
      expect(shape(parseWhere(source, 'optional'))).toEqual({ name, path, operator, value })
    },
  )

  it.each(whereCases.map((wanted) => [wanted.source, wanted] as const))(
    'requires quotes around texts in the strict profile: %s',
    (source, { needsQuotes = false }) => {
      const read = () => parseWhere(source, 'required')
      if (needsQuotes) expect(read).toThrow(/must be in double quotes|A value is missing/)
      else expect(read).not.toThrow()
    },
  )

  it.each([
    [String.raw`scode.eq.\"a\"`, 'a'],
    [String.raw`scode.eq.\"a,b\)c\"`, 'a,b)c'],
    [String.raw`and(scode.eq.\"a b\",sname.eq.\"\")`, 'a b'],
  ])('accepts escaped quotes as the interface prints them: %s', (source, text) => {
    const parsed = parseWhere(source, 'required')
    expect(JSON.stringify(parsed)).toContain(JSON.stringify(text))
  })

  it('suggests the quoted form of a text without quotes', () => {
    const read = () => parseWhere("scode.eq.a\\'b", 'required')
    expect(read).toThrow(expect.objectContaining({ position: 9, hint: 'Write "a\\\'b"' }))
  })

  it('combines conditions with and, and nests groups', () => {
    const clause = (name: string) => ({ name, path: [], operator: 'eq', value: expect.anything() })
    expect(shape(parseWhere('a.eq.1,or(b.eq.2,and(c.eq.3))', 'required'))).toEqual({
      and: [clause('a'), { or: [clause('b'), { and: [clause('c')] }] }],
    })
  })

  it.each(malformed)('rejects %s at position %i and lists what is expected', (source, at) => {
    const { position, expected } = failureOf(source)
    expect(position).toBe(at)
    expect(expected.length).toBeGreaterThan(0)
  })

  it('suggests the missing dot before a parenthesis', () => {
    expect(failureOf('scoordinate.bbi(1,2,3,4)').hint).toContain('scoordinate.bbi.(')
  })

  it('limits length, depth, conditions and list items', () => {
    const tooMany = (count: number) => Array.from({ length: count }, () => 'a.eq.1').join(',')
    const nested = (depth: number) => `${'and('.repeat(depth)}a.eq.1${')'.repeat(depth)}`
    const list = (count: number) => `a.in.(${'1,'.repeat(count - 1)}1)`
    expect(failureOf(`a.eq."${'x'.repeat(limits.length)}"`).message).toContain('longer than')
    expect(failureOf(nested(limits.depth + 1)).expected[0]).toContain('at most')
    expect(failureOf(tooMany(limits.clauses + 1)).expected[0]).toContain('at most')
    expect(failureOf(list(maxListLength + 1)).expected[0]).toContain('at most')
    expect(() => parseWhere(nested(limits.depth), 'required')).not.toThrow()
    expect(() => parseWhere(tooMany(limits.clauses), 'required')).not.toThrow()
    expect(() => parseWhere(list(maxListLength), 'required')).not.toThrow()
  })

  it('parses or rejects long pathological texts within 20 ms', () => {
    const texts = [
      'a'.repeat(8000),
      `a${'.1'.repeat(3999)}`,
      '\\'.repeat(8000),
      'and('.repeat(2000),
    ]
    for (const source of [...texts, `a.in.(${','.repeat(7000)}`, `a.eq.${'1'.repeat(7900)}`]) {
      const read = () => {
        try {
          parseWhere(source, 'optional')
        } catch (error) {
          expect(error).toBeInstanceOf(LanguageError)
        }
      }
      expect(cpuMilliseconds(read)).toBeLessThan(20)
    }
  })
})
