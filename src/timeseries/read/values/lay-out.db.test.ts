import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../../test/fixtures/databases.ts'
import { sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import { readerOf } from '../members.ts'
import { describe } from './lay-out.ts'

const rows = [['1'], ['2'], ['1'], ['2']]

describeWithDatabase('What describes the series of a choice', (database) => {
  let statements = 0
  const watched = (): Queryable => ({
    ...database().read,
    texts: (statement) => {
      statements += 1
      return database().read.texts(statement)
    },
  })

  /** What is read of each row, and by how many statements. */
  const read = async (series: readonly string[], column: Sql) => {
    statements = 0
    const { add, complete } = describe({
      ...{ key: 0, id: sql`s.id`, of: { series, total: 2 } },
      from: sql`(values (1, 'a', repeat('x', 1000)), (2, 'b', '')) as s (id, name, text)`,
    })
    const readCell = readerOf(add(column))
    await complete(watched(), rows)
    return { texts: rows.map((row) => readCell(row)), statements }
  }
  const names = ['a', 'b', 'a', 'b']

  it('is read once while the choice is the same', async () => {
    const choice = ['7', '8', '9']
    expect(await read(choice, sql`s.name`)).toEqual({ texts: names, statements: 1 })
    expect(await read(choice, sql`s.name`)).toEqual({ texts: names, statements: 0 })
    expect(await read([...choice], sql`s.name`)).toEqual({ texts: names, statements: 1 })
  })

  it('is read anew where something else is shown, also by a value alone', async () => {
    const choice = ['7', '8', '9']
    await read(choice, sql`s.name || ${'!'}`)
    const changed = await read(choice, sql`s.name || ${'?'}`)
    expect(changed).toEqual({ texts: names.map((name) => `${name}?`), statements: 1 })
  })

  it('is read each time where it is long', async () => {
    const choice = ['7', '8', '9']
    await read(choice, sql`s.text`)
    const { texts, statements: sent } = await read(choice, sql`s.text`)
    expect([texts[0]?.length, sent]).toEqual([1000, 1])
  })
})
