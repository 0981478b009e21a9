import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import type { Database, Queryable } from '../storage/database.ts'
import { anonymous } from './principal.ts'
import {
  addGrant,
  addRules,
  listGrants,
  listRules,
  removeAllRules,
  removeGrant,
  removeGrantsOf,
  removeRules,
  ruleTable,
  ownOnly,
} from './rule-table.ts'

/** A timer that a test advances manually. */
function manualTimer() {
  let work: (() => void) | undefined
  return {
    every: (_: number, next: () => void) => {
      work = next
      return () => {
        work = undefined
      }
    },
    tick: () => work?.(),
    runs: () => work !== undefined,
  }
}

/** Counts the statements that reach a database. */
function counting(database: Database) {
  let statements = 0
  const queryable: Queryable = {
    ...database,
    query: (statement) => {
      statements += 1
      return database.query(statement)
    },
  }
  return { queryable, statements: () => statements }
}

describeWithDatabase('The rule table', (database) => {
  const clear = async () => {
    await database().execute(sql`delete from access_rule`)
    await database().execute(sql`delete from push_grant`)
  }
  beforeEach(clear)
  afterEach(clear)

  const addRule = () =>
    database().execute(
      sql`insert into access_rule (role, area, origin) values ('GUEST', 'event', 'A')`,
    )
  const rule = {
    role: 'GUEST',
    area: 'event',
    origin: 'A',
    type: null,
    dataType: null,
    period: null,
  }
  const open = (
    source: Queryable = database(),
    onError: (error: unknown) => void = () => undefined,
  ) => {
    const timer = manualTimer()
    return { timer, table: ruleTable({ database: source, every: timer.every, onError }) }
  }

  it('opens no closed data before it has started', async () => {
    await addRule()
    expect(open().table.visibility(anonymous)).toEqual({ kind: 'rules', rules: [] })
  })

  it('holds the rules and grants of the database once it has started', async () => {
    await addRule()
    await database().execute(sql`insert into push_grant values ('a-client', '/a/*')`)
    const { table } = open()
    await table.start()
    expect(table.visibility(anonymous)).toEqual({ kind: 'rules', rules: [rule] })
    expect(table.grants()).toEqual([{ client: 'a-client', pathPattern: '/a/*' }])
  })

  it('picks up a change at the next tick', async () => {
    const { table, timer } = open()
    await table.start()
    await addRule()
    timer.tick()
    await table.refresh()
    expect(table.visibility(anonymous)).toEqual({ kind: 'rules', rules: [rule] })
    await database().execute(sql`update access_rule set origin = 'B'`)
    await table.refresh()
    expect(table.visibility(anonymous)).toEqual({
      kind: 'rules',
      rules: [{ ...rule, origin: 'B' }],
    })
    await database().execute(sql`truncate access_rule`)
    await table.refresh()
    expect(table.visibility(anonymous)).toEqual({ kind: 'rules', rules: [] })
  })

  it('runs one statement per refresh and reuses its result while nothing changes', async () => {
    await addRule()
    const { queryable, statements } = counting(database())
    const { table } = open(queryable)
    await table.start()
    const before = { statements: statements(), visibility: table.visibility(anonymous) }
    await table.refresh()
    expect(statements()).toBe(before.statements + 1)
    expect(table.visibility(anonymous)).toBe(before.visibility)
  })

  it('keeps the last rules and reports an error when the database does not respond', async () => {
    await addRule()
    let broken = false
    const errors: unknown[] = []
    const source: Queryable = {
      ...database(),
      query: (statement) =>
        broken ? Promise.reject(new Error('gone')) : database().query(statement),
    }
    const { table, timer } = open(source, (error) => errors.push(error))
    await table.start()
    broken = true
    timer.tick()
    await expect.poll(() => errors).toEqual([new Error('gone')])
    expect(table.visibility(anonymous)).toEqual({ kind: 'rules', rules: [rule] })
  })

  it('drops rules and grants after a minute of failed reads, until a read succeeds', async () => {
    await addRule()
    await database().execute(sql`insert into push_grant values ('a-client', '/a/*')`)
    let broken = false
    const source: Queryable = {
      ...database(),
      query: (statement) =>
        broken ? Promise.reject(new Error('gone')) : database().query(statement),
    }
    const { table, timer } = open(source)
    await table.start()
    broken = true
    for (let seconds = 0; seconds < 57; seconds += 3) timer.tick()
    expect([table.problems(), table.grants().length]).toEqual([[], 1])
    timer.tick()
    expect(table.problems()).toMatchObject([{ component: 'access' }])
    expect(table.visibility(anonymous)).toEqual({ kind: 'rules', rules: [] })
    expect(table.grants()).toEqual([])
    broken = false
    await table.refresh().catch(() => table.refresh())
    expect(table.problems()).toEqual([])
    expect(table.visibility(anonymous)).toEqual({ kind: 'rules', rules: [rule] })
  })

  it('stops polling once it is stopped', async () => {
    const { table, timer } = open()
    await table.start()
    table.stop()
    expect(timer.runs()).toBe(false)
  })

  it.each(['/a/b', '/a/*', '/*'])('accepts %s as a path pattern', async (pattern) => {
    await database().execute(sql`insert into push_grant values ('c', ${pattern})`)
  })

  it.each(['a/b', '/a*', '/*/b', '/a/**', '/a/', '*', ''])('refuses %j', async (pattern) => {
    const insert = sql`insert into push_grant values ('c', ${pattern})`
    await expect(database().execute(insert)).rejects.toThrow()
  })
})

const any = { area: null, origin: null, type: null, dataType: null, period: null }
const guest = { ...any, role: 'GUEST', area: 'event', origin: 'A' } as const
const closed = { ...any, role: 'A22', type: 'ParkingStation', dataType: 'free', period: 300 }

describeWithDatabase('Editing access', (database) => {
  beforeEach(async () => {
    await removeAllRules(database())
  })

  it('adds each rule once, lists rules with their ids, and removes them by id', async () => {
    expect(await addRules(database(), [guest, closed])).toBe(2)
    expect(await addRules(database(), [guest, { ...guest, origin: 'B' }])).toBe(1)
    const rules = await listRules(database())
    expect(rules.map(({ id: _id, ...rule }) => rule)).toEqual([
      closed,
      guest,
      { ...guest, origin: 'B' },
    ])
    expect(await removeRules(database(), [rules[0]?.id ?? '', 'x'])).toBe(1)
    expect(await removeAllRules(database())).toBe(2)
  })

  it('reaches a running rule table, which only polls the version', async () => {
    const every = () => () => undefined
    const table = ruleTable({ database: database(), every, onError: () => undefined })
    await table.start()
    await addRules(database(), [guest])
    await table.refresh()
    expect(table.visibility(anonymous)).toEqual({ kind: 'rules', rules: [guest] })
    await removeAllRules(database())
    await addGrant(database(), { client: 'a', pathPattern: '/a/b' })
    await table.refresh()
    expect(table.visibility(anonymous)).toEqual({ kind: 'rules', rules: [] })
    expect(table.grants()).toEqual([{ client: 'a', pathPattern: '/a/b' }])
    await removeGrantsOf(database(), 'a')
  })

  it('grants and revokes push permissions, and reports whether anything changed', async () => {
    const grant = { client: 'a', pathPattern: '/a/*' }
    expect([await addGrant(database(), grant), await addGrant(database(), grant)]).toEqual([1, 0])
    await addGrant(database(), { client: 'b', pathPattern: '/*' })
    const other = { client: 'b', pathPattern: '/*', ...ownOnly }
    expect(await listGrants(database())).toEqual([{ ...grant, ...ownOnly }, other])
    const scope = { ...ownOnly, kinds: ['stations'], may_delete: true }
    expect([
      await addGrant(database(), grant, scope),
      await addGrant(database(), grant, scope),
    ]).toEqual([1, 0])
    expect(await listGrants(database())).toEqual([{ ...grant, ...scope }, other])
    const gone = [await removeGrant(database(), grant), await removeGrant(database(), grant)]
    expect([...gone, await removeGrantsOf(database(), 'b')]).toEqual([1, 0, 1])
  })
})
