import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../../test/fixtures/databases.ts'
import { sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import { readerOf } from '../../../tables/index.ts'
import { describe, rememberDescriptions } from './lay-out.ts'

describeWithDatabase('Descriptions of series', (database) => {
  let statements = 0
  const watched = (): Queryable => ({
    ...database().read,
    texts: (statement) => {
      statements += 1
      return database().read.texts(statement)
    },
  })

  const descriptions = rememberDescriptions()

  /**
   * Describes some rows by one column.
   * @returns the texts, the number of statements, and the number of rows
   */
  const read = async (catalogue: string, column: Sql, ids = ['1', '2', '1', '2']) => {
    statements = 0
    const source = { key: 0, id: sql`s.id`, catalogue }
    const { add, complete } = describe(descriptions, {
      ...source,
      from: sql`(values (1, 'a', repeat('x', 10)), (2, 'b', '')) as s (id, name, text)`,
    })
    const cell = add(column)
    const readCell = readerOf(cell)
    await complete(watched(), ids)
    return { texts: ids.map((id) => readCell([id])), statements, rows: cell.of?.rows.size }
  }
  const names = ['a', 'b', 'a', 'b']

  it('are read once while the catalogue stays the same', async () => {
    expect(await read('one', sql`s.name`)).toMatchObject({ texts: names, statements: 1 })
    expect(await read('one', sql`s.name`)).toMatchObject({ texts: names, statements: 0 })
    expect(await read('two', sql`s.name`)).toMatchObject({ texts: names, statements: 1 })
  })

  it('are read for new rows, and a response has no other rows than its own', async () => {
    expect(await read('parts', sql`s.name`, ['1'])).toEqual({
      texts: ['a'],
      statements: 1,
      rows: 1,
    })
    expect(await read('parts', sql`s.name`)).toEqual({ texts: names, statements: 1, rows: 2 })
    expect(await read('parts', sql`s.name`, ['2'])).toEqual({
      texts: ['b'],
      statements: 0,
      rows: 1,
    })
  })

  it('are read again if another column is shown, even if only a parameter differs', async () => {
    await read('values', sql`s.name || ${'!'}`)
    const changed = await read('values', sql`s.name || ${'?'}`)
    expect(changed).toMatchObject({ texts: names.map((name) => `${name}?`), statements: 1 })
  })

  /**
   * Describes some rows by a long text, with the state that the rows are of.
   * @returns whether that is the state of the catalogue, and the number of statements
   */
  const readAt = async (catalogue: string, state: string, ids: readonly string[]) => {
    statements = 0
    const { add, complete } = describe(descriptions, {
      ...{ key: 0, id: sql`s.id`, catalogue, current: sql`${state}::text` },
      from: sql`(values (1, repeat('x', 7000000)), (2, 'b')) as s (id, text)`,
    })
    add(sql`s.text`)
    const isOfCatalogue = await complete(watched(), ids)
    return { isOfCatalogue, statements }
  }

  it('are evicted, oldest first, when they use much memory', async () => {
    const once = { isOfCatalogue: true, statements: 1 }
    expect(await readAt('long one', 'long one', ['1'])).toEqual(once)
    expect(await readAt('long one', 'long one', ['1'])).toEqual({ ...once, statements: 0 })
    expect(await readAt('long two', 'long two', ['1'])).toEqual(once)
    expect(await readAt('long one', 'long one', ['1'])).toEqual(once)
  })

  it('are not cached if they are of another state or some were deleted', async () => {
    const stale = { isOfCatalogue: false, statements: 1 }
    expect(await readAt('new', 'old', ['2'])).toEqual(stale)
    expect(await readAt('new', 'new', ['2', '3'])).toEqual(stale)
    expect(await readAt('new', 'new', ['2'])).toEqual({ isOfCatalogue: true, statements: 1 })
    expect(await readAt('new', 'new', ['2'])).toEqual({ isOfCatalogue: true, statements: 0 })
  })
})
