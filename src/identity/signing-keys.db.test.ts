import { decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { issuer, post, startTokenService } from '../../test/fixtures/token-service.ts'
import { sql } from '../sql/index.ts'
import { openSecrets } from '../storage/index.ts'
import { listKeys, openKeyStore, rotateKeys } from './signing-keys.ts'

const credentials = { client_id: 'demo-closed', client_secret: 'demo-closed' }
const machine = { grant_type: 'client_credentials', ...credentials }

describeWithDatabase('The keys of the token service', (database) => {
  it('are the same for nodes that start concurrently, and after a restart', async () => {
    const open = () =>
      openKeyStore({ database: database(), now: () => new Date(), secrets: openSecrets() })
    const stores = [...(await Promise.all([open(), open(), open()])), await open()]
    const keys = await Promise.all(stores.map((store) => store.current()))
    expect(new Set(keys.flatMap((set) => set.keys.map(({ kid }) => kid))).size).toBe(1)
  })

  it('are found if another node created them, and still verify when retired', async () => {
    let time = new Date()
    const old = await startTokenService(database(), { now: () => time })
    const before = String((await post(old, machine)).body['access_token'])
    await database().execute(sql`update identity_key set retired = now()`)
    const young = await startTokenService(database())
    const after = String((await post(young, machine)).body['access_token'])
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid)
    expect((await young.verifyToken(before)).kind).toBe('verified')
    const unknown = { reason: 'The token is signed with an unknown key' }
    expect(await old.verifyToken(after)).toMatchObject(unknown)
    time = new Date(time.getTime() + 6_000)
    expect((await old.verifyToken(after)).kind).toBe('verified')
    await Promise.all([old.app.close(), young.app.close()])
  })

  const rotate = (earlier: 'keep' | 'distrust', time: Date) =>
    database().transaction((tx) => rotateKeys(tx, earlier, { now: time, secrets: openSecrets() }))

  it('rotate without a refused token: a new key signs once all nodes have it', async () => {
    let time = new Date()
    const now = () => time
    const service = await startTokenService(database(), { now })
    const kidOf = (token: string) => decodeProtectedHeader(token).kid
    const ask = async () => String((await post(service, machine)).body['access_token'])
    const before = await ask()
    time = new Date(time.getTime() + 60_000)
    await rotate('keep', now())
    const signing = async () =>
      (await listKeys(database(), now())).filter(({ state }) => state === 'signs')
    expect(kidOf(await ask())).toBe(kidOf(before))
    expect(await signing()).toMatchObject([{ kid: kidOf(before) }])
    time = new Date(time.getTime() + 40_000)
    const after = await ask()
    expect(kidOf(after)).not.toBe(kidOf(before))
    expect(await signing()).toMatchObject([{ kid: kidOf(after) }])
    for (const token of [before, after]) {
      expect((await service.verifyToken(token)).kind).toBe('verified')
    }
    await service.app.close()
  })

  it('are not trusted after a leak, nor are the tokens they signed', async () => {
    let time = new Date()
    const service = await startTokenService(database(), { now: () => time })
    const token = String((await post(service, machine)).body['access_token'])
    expect((await service.verifyToken(token)).kind).toBe('verified')
    await rotate('distrust', time)
    await service.revocations.refresh()
    expect(await service.verifyToken(token)).toMatchObject({ reason: 'The token was revoked' })
    time = new Date(time.getTime() + 6_000)
    const next = String((await post(service, machine)).body['access_token'])
    expect((await service.verifyToken(next)).kind).toBe('verified')
    expect(await listKeys(database(), time)).toMatchObject([{ state: 'signs', retired: null }])
    await service.app.close()
  })

  it('are deleted at the next rotation, half a day after they were retired', async () => {
    const start = new Date()
    const later = (hours: number) => new Date(start.getTime() + hours * 3_600_000)
    await rotate('keep', later(0))
    await rotate('keep', later(1))
    const states = async (hours: number) =>
      (await listKeys(database(), later(hours))).map(({ state }) => state)
    expect((await states(2)).slice(0, 2)).toEqual(['signs', 'verifies'])
    expect(await states(13)).not.toContain('verifies')
    await rotate('keep', later(13))
    expect(await states(13)).toEqual(['verifies', 'signs'])
    expect(await states(14)).toEqual(['signs', 'verifies'])
  })

  it('and the other endpoints work with openid-client, a certified client', async () => {
    const { app } = await startTokenService(database())
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const discover = (secret: string) =>
      client.discovery(new URL(issuer), 'demo-closed', secret, undefined, {
        [client.customFetch]: behindProxy(address),
      })
    const config = await discover('demo-closed')
    const tokens = await client.clientCredentialsGrant(config, { scope: 'openid' })
    expect(tokens.expires_in).toBe(300)
    const told = await client.tokenIntrospection(config, tokens.access_token)
    expect(told).toMatchObject({ active: true, client_id: 'demo-closed' })
    const wrong = client.clientCredentialsGrant(await discover('wrong'))
    await expect(wrong).rejects.toMatchObject({ status: 401, error: 'unauthorized_client' })
    await app.close()
  })
})

/** Simulates the proxy that serves the public URL and passes requests on to the hub. */
function behindProxy(address: string): client.CustomFetch {
  return (url, options) =>
    fetch(url.replace(new URL(issuer).origin, address), { ...options, body: options.body ?? null })
}
