import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rawFilters } from '../../../test/fixtures/arbitrary-rawfilter.ts'
import { AppError } from '../../errors/index.ts'
import { defineEntity } from '../entity.ts'
import { recordSchema } from '../entities/base.ts'
import { toNaming } from '../naming.ts'
import { understood } from '../../../test/fixtures/rawfilter-cases.ts'
import { atTheLimit, refused } from '../../../test/fixtures/rawfilter-refusals.ts'
import { compileRawFilter } from './compile.ts'
import { parseRawFilter } from './grammar.ts'
import { printRawFilter } from './print.ts'

const entity = defineEntity({
  name: 'Thing',
  summary: 'Things',
  idStyle: 'exact',
  titles: [],
  schema: recordSchema('Thing', {}),
})
const compile = (text: string, prefix = 'Hub') =>
  compileRawFilter(parseRawFilter(text), { entity, naming: toNaming(prefix) })

/** Removes the source positions from a tree. */
const withoutSpans = (tree: unknown): unknown =>
  JSON.parse(
    JSON.stringify(tree, (key, value: unknown) => {
      if (key === 'span') return undefined
      return typeof value === 'number' ? String(value) : value
    }),
  )

describe('rawfilter', () => {
  it.each(understood)('reads $text', ({ text, printed = text }) => {
    expect(printRawFilter(parseRawFilter(text))).toBe(printed)
  })

  it.each(refused)(
    'refuses $text with position and reason',
    ({ text, position, expected, hint }) => {
      const error = thrownBy(text)
      expect(error).toBeInstanceOf(AppError)
      expect(error).toMatchObject({
        code: 'HUB-QRY-005',
        status: 400,
        issues: [
          { parameter: 'rawfilter', position, expected: expect.arrayContaining([expected]) },
        ],
      })
      if (hint !== undefined) expect(error).toMatchObject({ hint: expect.stringMatching(hint) })
    },
  )

  it.each(atTheLimit)('accepts a filter just within the limits: %s', (text) => {
    expect(thrownBy(text)).toBeUndefined()
  })

  it('prints text that reads as the same expression', () => {
    fc.assert(
      fc.property(rawFilters, (filter) => {
        const again = parseRawFilter(printRawFilter(filter))
        expect(withoutSpans(again)).toEqual(withoutSpans(filter))
      }),
    )
  })

  it('never puts a literal or a name into the SQL text', () => {
    const without = (text: string) => text.replace(/\$\d+/g, '$')
    const texts = [
      `eq(Zq8,'Zq7')`,
      `gt(Zq8.Zq8,918273)`,
      `in(Zq8.[*].Zq8,'Zq7',918273)`,
      `likein(Zq8,'Zq7','/Zq7/')`,
      `like(Zq8,'Zq7')`,
      `eq(Zq8,dt'2199-01-01')`,
      `isnull(Zq8)`,
      `eq(Id,'Zq7')`,
      `in(Shortname,'Zq7')`,
    ]
    for (const text of texts) {
      const { text: statement, values } = compile(text)
      expect(statement).not.toMatch(/Zq7|Zq8|918273|2199/)
      expect(JSON.stringify(values)).toMatch(/Zq7|Zq8|918273|2199/)
    }
    const one = without(compile(`eq(A,'x')`).text)
    expect(without(compile(`eq(B.C.D,'; drop table x; --')`).text)).toBe(one)
  })

  it('uses the prefix of the deployment in field names', () => {
    expect(compile('isnull(HubTags)', 'ODH').values).toEqual([['ODHTags']])
    expect(compile('isnull(OdhActive)', 'Hub').values).toEqual([['HubActive']])
    expect(compile('isnull(ODHActivityPoiTypes)', 'Ort').values).toEqual([['OrtActivityPoiTypes']])
    expect(compile('isnull(Detail.HubTags)', 'ODH').values).toEqual([['Detail', 'HubTags']])
  })

  it('uses a column only for conditions that it represents exactly', () => {
    expect(compile("eq(Shortname,'x')").text).toContain('"shortname"')
    expect(compile(`eq(Shortname,'${'x'.repeat(250)}')`).text).not.toContain('"shortname"')
    expect(compile('eq(Shortname,5)').text).not.toContain('"shortname"')
    expect(compile("eq(Detail.Id,'x')").text).not.toContain('"id"')
  })

  it('reads or refuses any text', { timeout: 60_000 }, () => {
    const pieces = fc.constantFrom(
      ...['eq', 'and', 'not', 'in', 'likein', 'like', '(', ')', ',', "'", '"', '[*]', '[]', '.'],
      ...['dt', '/', '\\', '{9}', '5', '-', ' ', 'true', 'A', 'é', '\0', '\u{d800}', '0x', '['],
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 60 }).map((list) => list.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const error = thrownBy(text)
        if (error === undefined) compile(text)
        else expect(error).toBeInstanceOf(AppError)
      }),
      { numRuns: 2_000 },
    )
  })
})

function thrownBy(text: string): unknown {
  try {
    parseRawFilter(text)
    return undefined
  } catch (error) {
    return error
  }
}
