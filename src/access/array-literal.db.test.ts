import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import { arrayLiteral } from './array-literal.ts'

describeWithDatabase('An array literal', (database) => {
  const readBack = async (values: readonly (string | null)[]) => {
    const [row] = await database().query<{ json: string }>(
      sql`select to_json(${arrayLiteral(values)}::text[])::text as json`,
    )
    const read: unknown = JSON.parse(row?.json ?? 'null')
    return read
  }

  it.each([[[]], [['']], [['null', 'NULL', null]], [['a,b', '{}', '"', '\\', ' x ', '\n']]])(
    'of %j is read back as it was',
    async (values) => {
      expect(await readBack(values)).toEqual(values)
    },
  )

  it('of any texts is read back as it was', async () => {
    // PostgreSQL texts hold every character but NUL, in whole code points.
    const anyText = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\u0000'))
    await fc.assert(
      fc.asyncProperty(fc.array(anyText), async (values) => {
        expect(await readBack(values)).toEqual(values)
      }),
      { numRuns: 100 },
    )
  })

  it('of numbers is one of integers', async () => {
    const literal = arrayLiteral([60, 3600])
    const [row] = await database().query<{ sum: number }>(
      sql`select sum(n)::integer as sum from unnest(${literal}::integer[]) as n`,
    )
    expect(row?.sum).toBe(3660)
  })
})
