import { expect, it } from 'vitest'
import { sql } from '../sql/index.ts'
import type { Database, Transaction } from './database.ts'
import { watchStatements } from './watch-statements.ts'

const queryable = { query: async () => [], texts: async () => [], execute: async () => 0 }
const plain: Transaction = { kind: 'transaction', ...queryable }

/** Returns a watched database whose transactions are `tx`, and the texts of its statements. */
function watched(tx: Transaction) {
  const database: Database = {
    ...queryable,
    engine: 'postgresql',
    read: queryable,
    heavy: () => queryable,
    transaction: (work) => work(tx),
    ping: async () => undefined,
    close: async () => undefined,
  }
  const seen: string[] = []
  const around = watchStatements(database, (statement, work) => {
    seen.push(statement.text)
    return work()
  })
  return { database: around, seen }
}

it('Every statement is seen once, wherever it runs', async () => {
  const { database, seen } = watched(plain)
  await database.query(sql`query`)
  await database.texts(sql`texts`)
  await database.execute(sql`execute`)
  await database.read.query(sql`read`)
  await database.heavy().query(sql`heavy`)
  await database.transaction((tx) => tx.query(sql`transaction`))
  expect(seen).toEqual(['query', 'texts', 'execute', 'read', 'heavy', 'transaction'])
})

it('COPY is seen, with its rows and its result', async () => {
  const received: unknown[] = []
  const { database, seen } = watched({
    ...plain,
    copy: async (_statement, rows) => {
      received.push(rows)
    },
    copyOut: async () => Buffer.from('out'),
  })
  await database.transaction(async (tx) => {
    await tx.copy?.(sql`copy a from stdin`, 'in')
    expect(await tx.copyOut?.(sql`copy a to stdout`)).toEqual(Buffer.from('out'))
  })
  expect(received).toEqual(['in'])
  expect(seen).toEqual(['copy a from stdin', 'copy a to stdout'])
})

it('COPY stays missing if the database does not support it', async () => {
  const { database } = watched(plain)
  await database.transaction(async (tx) => {
    expect([tx.copy, tx.copyOut]).toEqual([undefined, undefined])
  })
})
