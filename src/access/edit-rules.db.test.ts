import { beforeEach, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import {
  addGrant,
  addRules,
  listGrants,
  listRules,
  removeAllRules,
  removeGrant,
  removeGrantsOf,
  removeRules,
} from './edit-rules.ts'
import { anonymous } from './principal.ts'
import { ownOnly } from './push-scope.ts'
import { ruleTable } from './rule-table.ts'

const any = { area: null, origin: null, type: null, dataType: null, period: null }
const guest = { ...any, role: 'GUEST', area: 'event', origin: 'A' } as const
const closed = { ...any, role: 'A22', type: 'ParkingStation', dataType: 'free', period: 300 }

describeWithDatabase('Editing access', (database) => {
  beforeEach(async () => {
    await removeAllRules(database())
  })

  it('adds rules once, lists them with the numbers they are removed by, and removes them', async () => {
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

  it('reaches a running rule table, though it only looks at the version', async () => {
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

  it('gives and takes push permissions, and says whether that changed anything', async () => {
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
