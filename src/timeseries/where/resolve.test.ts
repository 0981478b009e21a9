import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors/index.ts'
import type { Issue } from '../../errors/index.ts'
import { LanguageError } from '../../lang/index.ts'
import { latestLevel } from '../catalogue/levels.ts'
import { parseWhere, rejectedWhere } from './grammar.ts'
import type { Quoting } from './lexer.ts'
import { resolveWhere } from './resolve.ts'

/** Returns the issue that a caller gets for a `where`. */
function complaintOf(source: string, quoting: Quoting): Issue {
  try {
    resolveWhere(parseWhere(source, quoting), latestLevel)
  } catch (error) {
    const refused = error instanceof LanguageError ? rejectedWhere(error) : error
    const [issue] = refused instanceof AppError ? refused.issues : []
    if (issue !== undefined) return issue
    throw error
  }
  throw new Error(`${source} was read`)
}

describe('The hint about where', () => {
  it.each([
    ['scode.eq.007', 'As a text it is written "007"'],
    ['scode.eq.1e3', 'As a text it is written "1e3"'],
    ['scode.eq.TRUE', 'As a text it is written "TRUE"'],
    ['smetadata.txt.eq.2026-11-20', 'As a text it is written "2026-11-20"'],
    ['scode.in.("a",007)', 'As a text it is written "007"'],
    ['mvalue.gte.5', 'Did you mean gteq?'],
    ['mvalue.ge.5', 'Did you mean gteq?'],
    ['mvalue.LTE.5', 'Did you mean lteq?'],
    ['mvalue.le.5', 'Did you mean lteq?'],
    ['mvalue.ne.5', 'Did you mean neq?'],
    ['scode.ne."a"', 'Did you mean neq?'],
    ['mvalue.gteg.5', 'Did you mean gteq?'],
    ['not(scode.eq."a")', 'There is no not( ): use neq, nin, nre or nire'],
    ['AND(scode.eq."105")', 'Write and( in lower case'],
    ['and(scode.eq."105",Or(scode.eq."a"))', 'Write or( in lower case'],
    ['scode("a")', 'A condition looks like scode.eq."P1" or mvalue.gt.5'],
    ['scode.eq.\u201c105\u201d', 'Write "105", with straight quotes'],
    ['scode.eq.\u00ab105\u00bb', 'Write "105", with straight quotes'],
    ['scoordinate.x.gt.11', 'Use bbi, bbc or dlt, such as scoordinate.bbi.(11,46,12,47)'],
    ['scode.eq.a.eq."x"', 'Put a text with dots in double quotes: "a.b"'],
    ['scode.x.eq."x"', undefined],
    ['smetadata.capacity.eq', 'A condition looks like smetadata.capacity.eq."P1"'],
    ['smetadata.name:de.eq."D"', 'In a path, a key consists of letters, digits, _ and -'],
    ['smetadata.a,scode.eq."D"', 'A condition looks like scode.eq."P1" or mvalue.gt.5'],
    ['smetadata.a b.eq."D"', 'In a path, a key consists of letters, digits, _ and -'],
    ['mvalidtime.gt."2026-11-20"', 'Write 2026-11-20 without quotes'],
  ])('for %s is %s', (source, hint) => {
    expect(complaintOf(source, 'required').hint).toBe(hint)
  })

  it.each([
    ['2026-11-20T10:00:00 01:00', 'Write 2026-11-20T10:00:00+01:00; in a URL, + is %2B'],
    ['2026-11-20 10:00:00.000+0100', 'Write 2026-11-20T10:00:00.000+0100; in a URL, + is %2B'],
    ['2026-11-20 10:00:00.000 0100', 'Write 2026-11-20T10:00:00.000+0100; in a URL, + is %2B'],
    ['2026-11-20T10:15:00.123456Z', 'Write 2026-11-20T10:15:00.123Z'],
    ['2026-11-20T10:15:00.5Z', 'Write 2026-11-20T10:15:00.500Z'],
    ['2026-02-31', 'Write a time as 2026-11-20T10:15:00Z; in a URL, the + of +01:00 is %2B'],
  ])('shows the valid form of the time %s', (written, hint) => {
    const source = `mvalidtime.gt.${written}`
    expect(complaintOf(source, 'required')).toMatchObject({
      hint,
      detail: expect.stringContaining('is not a valid time'),
      expected: expect.arrayContaining(['yyyy-MM-ddTHH:mm:ss']),
    })
    expect(complaintOf(source, 'optional')).toMatchObject({
      hint,
      expected: ['a time', 'null'],
    })
  })

  it('reports a missing value', () => {
    expect(complaintOf('smetadata.capacity.eq', 'required')).toMatchObject({
      position: 21,
      expected: ['"." and a value'],
    })
  })
})
