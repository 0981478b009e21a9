import { describe, expect, it } from 'vitest'
import { identifier, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { preparedNames } from './to-database.ts'

const statementsOf = (...names: readonly string[]) =>
  names.map((name) => sql`select ${1} as ${identifier(name)}`)

function open(limit?: number) {
  const names = preparedNames(limit)
  const connection = {}
  return { names, connection, nameOf: (statement: Sql) => names.nameOf(statement, connection) }
}

describe('preparedNames', () => {
  it('names a text when it is seen for the second time, and keeps the name', () => {
    const { nameOf } = open()
    const statement = (id: number) => sql`select ${id}::int`
    expect(nameOf(statement(1))).toBeUndefined()
    expect(nameOf(statement(2))).toBe('hub_1')
    expect(nameOf(statement(3))).toBe('hub_1')
  })

  it('never names a statement without values, which may be a script of several', () => {
    const { nameOf } = open()
    const names = [1, 2, 3].map(() => nameOf(sql`select 1; select 2`))
    expect(names).toEqual([undefined, undefined, undefined])
  })

  it('removes the name of the least recently used text, and never reuses a name', () => {
    const { nameOf } = open(2)
    const [a = sql``, b = sql``, c = sql``] = statementsOf('a', 'b', 'c')
    ;[a, b, c].forEach(nameOf)
    expect([a, b, a, c].map(nameOf)).toEqual(['hub_1', 'hub_2', 'hub_1', 'hub_3'])
    expect([a, b].map(nameOf)).toEqual(['hub_1', undefined])
    expect(nameOf(b)).toBe('hub_4')
  })

  it('forgets the oldest of too many texts that were seen once', () => {
    const { nameOf } = open(1)
    const statements = statementsOf('a', 'b', 'c', 'd', 'e')
    statements.forEach(nameOf)
    expect(statements.slice(0, 1).map(nameOf)).toEqual([undefined])
    expect(statements.slice(2, 3).map(nameOf)).toEqual(['hub_1'])
  })

  it('prepares no more statements on a connection that is full', () => {
    const { names, nameOf, connection } = open(1)
    const [a = sql``, b = sql``, c = sql``] = statementsOf('a', 'b', 'c')
    expect([a, a, b, b].map(nameOf)).toEqual([undefined, 'hub_1', undefined, 'hub_2'])
    expect(names.isFull(connection)).toBe(true)
    expect([b, c, c].map(nameOf)).toEqual(['hub_2', undefined, undefined])
    expect(names.nameOf(c, {})).toBe('hub_3')
  })
})
