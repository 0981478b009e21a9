import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import { toRegex } from './to-regex.ts'

/** Expressions that make backtracking engines, or the construction of automatons, slow. */
const hostile = [
  '(a+)+$',
  '(a|a)*$',
  '(a|aa)+$',
  '(.*)*x',
  '(.*a){20}',
  '.*.*.*.*.*.*.*.*.*.*x',
  '(a?){50}(a?){50}a{50}',
  '((a?){10}){10}',
  '((a*)*)*b',
  '(a{0,50}){7}b',
  '([ab]{1,50}c?){7}$',
  '[ab]*a[ab]{50}c',
  '(a|b)*a(a|b){50}(a|b){10}c',
  '(x+x+)+y',
  '([a-z\\d]|[\\w]|.){50}$',
  '(\\w+\\s?)+$',
  '[Ā-˿]{50}|[ؠ-ࠖ]{50}',
]

/** Texts of 20,000 characters each; in the last one nothing repeats soon. */
const texts = [
  'a'.repeat(20_000),
  'ab'.repeat(10_000),
  `${'x'.repeat(20_000)}!`,
  'Āab1 '.repeat(4_000),
  Array.from({ length: 20_000 }, (_, place) => 'ab'.charAt(((place * place * 7919) % 13) % 2)).join(
    '',
  ),
]

describeWithDatabase('regular expressions of callers', (database) => {
  it.each(hostile)('take no longer than any other search: %s', async (pattern) => {
    const started = performance.now()
    await database().texts(
      sql`select count(*) from unnest(${texts}::text[]) as text where text ~* ${toRegex(pattern)}`,
    )
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  it('match the same texts as in JavaScript', { timeout: 120_000 }, async () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      'Ü',
      '.',
      '[ab]',
      '[^a]',
      '[a-c]',
      '\\d',
      '\\w',
      '\\s',
      '\\.',
      '[\\d.-]',
      '_',
    )
    const pattern = fc.letrec<{ readonly pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { depthSize: 'small' },
        atom,
        fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
        fc.tuple(tie('pattern'), tie('pattern')).map((parts) => `(${parts.join('|')})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}', '*?'))
          .map(([part, repetition]) => `(?:${part})${repetition}`),
        tie('pattern').map((part) => `^${part}`),
        tie('pattern').map((part) => `${part}$`),
      ),
    })).pattern
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'ü', 'A', '1', '.', '-', ' ', '_'),
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(pattern, text), { minLength: 200, maxLength: 200 }),
        async (pairs) => {
          const rows = await database().texts(sql`
          select text ~* pattern
          from unnest(${pairs.map(([one]) => toRegex(one))}::text[], ${pairs.map(([, one]) => one)}::text[])
            with ordinality as pair (pattern, text, place) order by place`)
          const wanted = pairs.map(([one, other]) =>
            new RegExp(one.replaceAll('\\w', '[\\p{L}\\d_]'), 'isu').test(other),
          )
          const wrong = pairs.filter((_, place) => (rows[place]?.[0] === 't') !== wanted[place])
          expect(wrong).toEqual([])
        },
      ),
      { numRuns: 10, endOnFailure: true },
    )
  })
})
