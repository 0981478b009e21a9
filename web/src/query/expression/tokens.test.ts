import fc from 'fast-check'
import { expect, it } from 'vitest'
import { completionPlace } from './completion-place.ts'
import type { ExpressionLanguage } from './conditions.ts'
import { toTokens } from './tokens.ts'

const languages: readonly ExpressionLanguage[] = ['rawfilter', 'where']

function colours(language: ExpressionLanguage, source: string): readonly string[] {
  return toTokens(language, source).map(
    ({ kind, start, end }) => `${kind} ${source.slice(start, end)}`,
  )
}

it.each<[ExpressionLanguage, string, readonly string[]]>([
  [
    'rawfilter',
    "and( like(Detail.de.Title,'it''s'),ge(LastChange,dt'2026')",
    [
      'call and',
      'sign (',
      'call like',
      'sign (',
      'member Detail.de.Title',
      'sign ,',
      "text 'it''s'",
      'sign )',
      'sign ,',
      'call ge',
      'sign (',
      'member LastChange',
      'sign ,',
      'call dt',
      "text '2026'",
      'sign )',
    ],
  ],
  [
    'rawfilter',
    'eq(Tags.[*].Id,-1.5',
    ['call eq', 'sign (', 'member Tags.[*].Id', 'sign ,', 'number -1.5'],
  ],
  ['rawfilter', "eq(A,'open", ['call eq', 'sign (', 'member A', 'sign ,', "text 'open"]],
  ['rawfilter', 'ne(A,[])', ['call ne', 'sign (', 'member A', 'sign ,', 'constant []', 'sign )']],
  [
    'where',
    'or(smetadata.a.0.gteq.2.5,sname.eq."a,\\"b")',
    [
      'call or',
      'sign (',
      'member smetadata.a.0',
      'operator .gteq.',
      'number 2.5',
      'sign ,',
      'member sname',
      'operator .eq.',
      'text "a,\\"b"',
      'sign )',
    ],
  ],
  [
    'where',
    'mvalidtime.lt.2026-11-20T10:15:00,a.eq.null',
    [
      'member mvalidtime',
      'operator .lt.',
      'number 2026-11-20T10:15:00',
      'sign ,',
      'member a',
      'operator .eq.',
      'constant null',
    ],
  ],
])('%s: %s has the expected colours', (language, source, expected) => {
  expect(colours(language, source)).toEqual(expected)
})

it('splits any text into tokens, in order and without overlaps', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...languages),
      fc.string({ unit: 'binary' }),
      (language, source) => {
        let behind = 0
        for (const { start, end } of toTokens(language, source)) {
          expect(start).toBeGreaterThanOrEqual(behind)
          expect(end).toBeGreaterThan(start)
          behind = end
        }
        expect(behind).toBeLessThanOrEqual(source.length)
        expect(() => completionPlace(language, source, source.length)).not.toThrow()
      },
    ),
  )
})

/** The bar marks the cursor. */
it.each<[ExpressionLanguage, string, string]>([
  ['rawfilter', '|', 'call 0'],
  ['rawfilter', 'e|', 'call 0'],
  ['rawfilter', 'and(eq(A,1),l|', 'call 12'],
  ['rawfilter', 'eq(A,1)|', 'nothing'],
  ['rawfilter', 'eq(|', 'member 3'],
  ['rawfilter', 'eq(Detail.de.T|', 'member 3'],
  ['rawfilter', 'eq(A,|', 'value 5 A'],
  ['rawfilter', "in(A.B,'x',|", 'value 11 A.B'],
  ['rawfilter', "in(A.B,'x|", 'value 7 A.B'],
  ['rawfilter', "in(A.B,'x'|", 'nothing'],
  ['where', '|', 'member 0'],
  ['where', 'sna|', 'member 0'],
  ['where', 'sname.|', 'memberOrOperator 0 sname'],
  ['where', 'smetadata.ci|', 'memberOrOperator 0 smetadata'],
  ['where', 'sname.eq.|', 'value 9 sname'],
  ['where', 'sname.eq."a|', 'value 9 sname'],
  ['where', 'sname.eq."a"|', 'nothing'],
  ['where', 'sname.in.("a","|', 'value 14 sname'],
  ['where', 'sname.in.("a"),s|', 'member 15'],
  ['where', 'or(sname.eq."a",s|', 'member 16'],
])('%s: at %s it offers %s', (language, typed, expected) => {
  const position = typed.indexOf('|')
  const place = completionPlace(language, typed.replace('|', ' '), position)
  const path = place !== undefined && 'path' in place ? ` ${place.path}` : ''
  expect(place === undefined ? 'nothing' : `${place.kind} ${place.from}${path}`).toBe(expected)
})
