import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arbitraryFilter } from '../../../test/fixtures/arbitrary-sta-filter.ts'
import { createCursor, LanguageError } from '../../lang/index.ts'
import { entitiesFor } from '../entities.ts'
import { scopeOf, viewOf } from '../scope.ts'
import { compileFilter } from './compile.ts'
import { parseFilter, printFilter } from './grammar.ts'
import type { Expression } from './grammar.ts'

/** Parses an expression that must end where the text ends. */
function parse(text: string): Expression {
  const cursor = createCursor(text)
  const found = parseFilter(cursor)
  if (!cursor.isAtEnd()) throw cursor.fail('the end')
  return found
}

const plain = (expression: Expression): unknown =>
  JSON.parse(JSON.stringify(expression, (key, value: unknown) => (key === 'position' ? 0 : value)))

it.each([
  ["name eq 'a''b'", "(name eq 'a''b')"],
  ['a eq 1 or b eq 2 and c eq 3', '((a eq 1) or ((b eq 2) and (c eq 3)))'],
  ['(a eq 1 or b eq 2) and c eq 3', '(((a eq 1) or (b eq 2)) and (c eq 3))'],
  ['1 add 2 mul 3 sub -4 lt result', '(((1 add (2 mul 3)) sub -4) lt result)'],
  ['not startswith(name,x) and true', '((not startswith(name,x)) and true)'],
  ['not(a eq null)', '(not (a eq null))'],
  ['-result gt 5', '((-(result)) gt 5)'],
  ['@iot.id eq 5', '(id eq 5)'],
  ['id eq 1344063931456800123.5', '(id eq 1344063931456800123.5)'],
  [
    "geo.distance(location, geography'POINT (11 46.5)') le 5e3",
    "(geo.distance(location,geography'POINT(11 46.5)') le 5000)",
  ],
  [
    'phenomenonTime gt 2026-11-25T12:00:00+01:00',
    '(phenomenonTime gt 2026-11-25T11:00:00.000000Z)',
  ],
  ['phenomenonTime gt 2026-11-25T12:00 02:00', '(phenomenonTime gt 2026-11-25T10:00:00.000000Z)'],
  ["time gt now() sub duration'PT1H'", "(time gt (now() sub duration'PT1H'))"],
  ['date(time) eq 2026-11-25', '(date(time) eq 2026-11-25)'],
  ['properties/metadata/list/0 eq andy', '(properties/metadata/list/0 eq andy)'],
])('%s is read as %s', (text, printed) => {
  expect(printFilter(parse(text))).toBe(printed)
  expect(plain(parse(printed))).toEqual(plain(parse(text)))
})

it.each([
  ['', 0, 'a value'],
  ['name eq', 7, 'a value'],
  ['name eq ', 8, 'a value'],
  ["name eq 'x", 10, 'the closing quote'],
  ['(name eq 1', 10, '")"'],
  ['name eq 1 b', 9, 'the end'],
  ['year(time', 9, '")"'],
  ['time gt 2026-02-30', 8, 'a time such as 2026-11-25T12:00:00Z'],
  ['time gt 2026-01-01T25:00:00Z', 8, 'a time such as 2026-11-25T12:00:00Z'],
  ["a eq duration'P'", 14, "a duration such as 'P1DT2H'"],
  ["st_within(a, geography'POINT(1)')", 30, 'a space and the second coordinate'],
  ['a eq 1e999', 5, undefined],
  ['('.repeat(31), 31, 'at most 30 levels'],
  ['-'.repeat(3000), 31, 'at most 30 levels'],
  ['a or '.repeat(300), 1000, 'at most 200 operands'],
])('%j is rejected at position %i', (text, position, expected) => {
  const failure = (() => {
    try {
      return parse(text)
    } catch (error) {
      return error
    }
  })()
  expect(failure).toBeInstanceOf(LanguageError)
  expect(failure).toMatchObject({ position })
  if (expected !== undefined)
    expect(failure).toHaveProperty('expected', expect.arrayContaining([expected]))
})

it('parses its own output', () => {
  fc.assert(
    fc.property(arbitraryFilter, (expression) => {
      expect(plain(parse(printFilter(expression)))).toEqual(plain(expression))
    }),
  )
})

it('rejects every other text with a position within it', () => {
  const words = fc.constantFrom(
    'a',
    ' ',
    '(',
    ')',
    "'",
    ',',
    '/',
    ' eq ',
    'not',
    '-',
    '1',
    'now()',
    '2026-01-01',
    '+',
  )
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 12 }).map((all) => all.join('')),
      (text) => {
        try {
          parse(text)
        } catch (error) {
          expect(error).toBeInstanceOf(LanguageError)
          const position = error instanceof LanguageError ? error.position : -1
          expect(position >= 0 && position <= text.length).toBe(true)
        }
      },
    ),
  )
})

it('names the property that cannot be compared', () => {
  const entities = entitiesFor({ kind: 'everything' }, '')
  const view = viewOf({ entities, root: '', headers: {}, historyDays: undefined })
  const scope = scopeOf(view, entities.Datastream)
  expect(() => compileFilter(parse('phenomenonTime gt 2026-01-01'), scope)).toThrow(
    'phenomenonTime of Datastreams cannot be compared.',
  )
})
