import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { entitiesOf } from '../entities/index.ts'
import { toNaming } from '../naming.ts'
import { loadBlock, madeSource, rowsOf, toColumns, toSorting } from './load-values.ts'
import type { Block, Values } from './load-values.ts'

const [entity] = entitiesOf(toNaming('Hub'))

/** Records whose values have various lengths; some are null, empty or repeated. */
const records = Array.from({ length: 60 }, (_, index) => {
  const text = index % 7 === 0 ? null : 'ä'.repeat((index * 37) % 50) + String(index % 40)
  return JSON.stringify({ A: text, B: index % 3 === 0 ? '' : String(index % 5) })
})

function toValues(fields: readonly string[], rawsort: string): Values {
  if (entity === undefined) throw new Error('no entity')
  const columns = toColumns(entity, { fields, getasarray: false })
  const source = madeSource(records)
  const sorting = toSorting(entity, columns, rawsort)
  return { dataset: 'any', source, columns, sorting, excludesEmpty: false, asArray: false }
}

describeWithDatabase('blocks of distinct values', (database) => {
  const readAll = async (values: Values, most: number) => {
    const rows: unknown[] = []
    let blocks = 0
    let block: Block | undefined = await loadBlock(database(), values, { most })
    while (block !== undefined) {
      blocks += 1
      rows.push(...block.chunks.flatMap((chunk) => rowsOf(values, chunk)))
      const { next }: Block = block
      block =
        next === undefined ? undefined : await loadBlock(database(), values, { after: next, most })
    }
    return { rows, blocks }
  }

  it.each(['A', '-A', 'A,B', '-A,B', 'B,-A', '-B,-A'])(
    'contain every value exactly once, sorted by %s',
    async (sort) => {
      const values = toValues(['A', 'B'], sort)
      const whole = await readAll(values, 4_000_000)
      expect(whole.blocks).toBe(1)
      expect(whole.rows).toHaveLength(new Set(records).size)
      for (const most of [1, 40, 700]) {
        const parts = await readAll(values, most)
        expect(parts.blocks).toBeGreaterThan(1)
        expect(parts.rows).toEqual(whole.rows)
      }
    },
  )

  it('contain exactly the requested page', async () => {
    const values = toValues(['A', 'B'], 'A')
    const { rows } = await readAll(values, 4_000_000)
    const paged = { ...values, page: { offset: 5, limit: 20 } }
    expect((await loadBlock(database(), paged)).total).toBe(rows.length)
    expect((await readAll(paged, 60)).rows).toEqual(rows.slice(5, 25))
  })
})
