import { describe, expect, it } from 'vitest'
import { identifier, sql } from '../sql/index.ts'
import { preparedNames } from './prepared-names.ts'

describe('preparedNames', () => {
  it('gives a text its name when it is seen for the second time, and the same one ever after', () => {
    const nameOf = preparedNames()
    const statement = (id: number) => sql`select ${id}::int`
    expect(nameOf(statement(1))).toBeUndefined()
    expect(nameOf(statement(2))).toBe('hub_1')
    expect(nameOf(statement(3))).toBe('hub_1')
  })

  it('never names a statement without values, which may be a script of several', () => {
    const nameOf = preparedNames()
    const names = [1, 2, 3].map(() => nameOf(sql`select 1; select 2`))
    expect(names).toEqual([undefined, undefined, undefined])
  })

  it('names so many texts and no more, and keeps the names that it gave', () => {
    const nameOf = preparedNames(2)
    const statements = [sql`select ${1}`, sql`select ${1}, 2`, sql`select ${1}, 3`]
    statements.map(nameOf)
    expect(statements.map(nameOf)).toEqual(['hub_1', 'hub_2', undefined])
    expect(statements.map(nameOf)).toEqual(['hub_1', 'hub_2', undefined])
  })

  it('forgets the oldest of too many texts that came once', () => {
    const nameOf = preparedNames(1)
    const statements = ['a', 'b', 'c', 'd', 'e'].map(
      (name) => sql`select ${1} as ${identifier(name)}`,
    )
    statements.forEach(nameOf)
    expect(statements.slice(0, 1).map(nameOf)).toEqual([undefined])
    expect(statements.slice(2, 3).map(nameOf)).toEqual(['hub_1'])
  })
})
