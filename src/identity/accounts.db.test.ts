import { decodeJwt } from 'jose'
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { post, startTokenService } from '../../test/fixtures/token-service.ts'
import type { User } from './account.ts'
import {
  listClients,
  listUsers,
  removeClient,
  removeUser,
  storeClient,
  storeUser,
} from './accounts.ts'
import type { StoredClient } from './accounts.ts'
import { hashSecret } from './check-secret.ts'

const client: StoredClient = {
  clientId: 'kiosk',
  secret: null,
  enabled: true,
  grantTypes: ['password'],
  redirectUris: ['https://a.example/x'],
  logoutUris: ['https://a.example/y'],
  roles: ['BDP_A'],
  clientRoles: { other: ['READER'] },
  scopeRoles: ['BDP_B'],
  refreshSeconds: 60,
}

describeWithDatabase('Accounts', (database) => {
  it('are stored, changed and removed with all their fields', async () => {
    await storeClient(database(), client)
    expect(await listClients(database())).toEqual([client])
    const changed = { ...client, enabled: false, scopeRoles: null, refreshSeconds: null, roles: [] }
    await storeClient(database(), changed)
    expect(await listClients(database())).toEqual([changed])
    await removeClient(database(), 'kiosk')
    expect(await listClients(database())).toEqual([])
  })

  it('of users have names that are unique regardless of case', async () => {
    const user: User = {
      id: randomUUID(),
      username: 'Ada',
      password: { kind: 'hash', hash: 'x' },
      enabled: true,
      email: null,
      givenName: 'Ada',
      familyName: null,
      roles: ['A'],
      clientRoles: {},
    }
    await storeUser(database(), user)
    await expect(
      storeUser(database(), { ...user, id: randomUUID(), username: 'ada' }),
    ).rejects.toThrow()
    await storeUser(database(), { ...user, roles: [], email: 'a@b.example' })
    expect(await listUsers(database())).toEqual([{ ...user, roles: [], email: 'a@b.example' }])
    await removeUser(database(), user.id)
    expect(await listUsers(database())).toEqual([])
  })

  it('are stored with each role once', async () => {
    const twice = { roles: ['A', 'B', 'A'], clientRoles: { other: ['A', 'A'] } }
    await storeClient(database(), { ...client, ...twice, scopeRoles: ['C', 'C'] })
    const once = { roles: ['A', 'B'], clientRoles: { other: ['A'] }, scopeRoles: ['C'] }
    expect(await listClients(database())).toMatchObject([once])
  })

  it('with a plain-text secret, as in the demo, are never stored', async () => {
    const secret = { kind: 'demo', text: 'kiosk' } as const
    await expect(storeClient(database(), { ...client, secret })).rejects.toThrow('Only hashes')
  })

  it('get tokens with the roles that the client may see, until they are disabled', async () => {
    let time = new Date()
    const service = await startTokenService(database(), { now: () => time })
    const hash = await hashSecret('long enough')
    await storeUser(database(), {
      ...{ id: randomUUID(), username: 'bob', password: { kind: 'hash', hash }, enabled: true },
      ...{ email: null, givenName: null, familyName: null, roles: ['BDP_A', 'BDP_B'] },
      clientRoles: { other: ['BDP_B', 'WRITER'] },
    })
    await storeClient(database(), client)
    const login = { username: 'bob', password: 'long enough', client_id: 'kiosk' }
    const ask = () => post(service, { grant_type: 'password', ...login })
    expect(decodeJwt(String((await ask()).body['access_token']))).toMatchObject({
      realm_access: { roles: ['BDP_B'] },
      resource_access: { other: { roles: ['BDP_B'] } },
    })
    await storeClient(database(), { ...client, enabled: false })
    time = new Date(time.getTime() + 6_000)
    expect((await ask()).body).toMatchObject({ error: 'invalid_client' })
    await service.app.close()
  })
})
