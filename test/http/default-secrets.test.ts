import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoAccounts } from '../../src/identity/index.ts'
import { openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'

const granted = Type.Object({ access_token: Type.String() })
const names = demoAccounts.clients.map(({ clientId }) => clientId)
const [user] = demoAccounts.users
const bodyLimit = 2048

describeOnEngines('A hub with an embedded token service', (engine) => {
  let clone: TestDatabase
  let hub: ComposedHub

  const logIn = (form: Readonly<Record<string, string>>) =>
    hub.ask({
      method: 'POST',
      url: '/auth/realms/hub/protocol/openid-connect/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
  const asClient = (name: string) =>
    logIn({ grant_type: 'client_credentials', client_id: name, client_secret: name })
  const asUser = (name: string) =>
    logIn({
      ...{ grant_type: 'password', client_id: 'demo-basic', client_secret: 'demo-basic' },
      ...{ username: name, password: name },
    })

  describe.each([
    ['demo', 200, 200],
    ['serve', 401, 401],
  ] as const)('in mode %s', (mode, clients, users) => {
    beforeAll(async () => {
      clone = await cloneDatabase(engine)
      const settings = { HUB_IDENTITY: 'embedded', HUB_BODY_LIMIT: String(bodyLimit) }
      hub = await openComposedHub(clone.settings, settings, mode)
    })
    afterAll(async () => {
      await hub.close()
      await clone.drop()
    })

    it.each(names)(`returns ${String(clients)} for the well-known secret of %s`, async (name) => {
      expect((await asClient(name)).statusCode).toBe(clients)
    })

    it(`returns ${String(users)} for the well-known password`, async () => {
      expect((await asUser(user?.username ?? '')).statusCode).toBe(users)
    })

    if (mode !== 'demo') return
    it('refuses bodies larger than HUB_BODY_LIMIT', async () => {
      const { access_token: token } = Parse(granted, (await asClient('demo-admin')).json())
      const create = (length: number) =>
        hub.ask({
          method: 'POST',
          url: '/v1/Accommodation',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          payload: JSON.stringify({ Shortname: 'x'.repeat(length) }),
        })
      expect((await create(bodyLimit / 2)).statusCode).toBe(200)
      const large = await create(bodyLimit)
      expect([large.statusCode, large.json()]).toMatchObject([413, { errorCode: 'HUB-BDY-002' }])
    })
  })
})
