import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matrix } from './describe-decisions.ts'
import { startHubHere } from './start-hub-here.ts'
import type { RunningHub } from './start-hub-here.ts'
import { bearer, clientToken, membersOf, post, userTokens } from './provider.ts'
import type { TokenProvider } from './provider.ts'
import { PUSH_AUDIENCE } from './realm.ts'

const closedRecord = {
  kind: 'content',
  entity: 'Accommodation',
  items: [{ Id: 'CLOSED', LicenseInfo: { ClosedData: true } }, { Id: 'OPEN' }],
}

/** Declares the tests of a hub whose `HUB_ISSUER` is the provider. */
export function describeHub(provider: () => TokenProvider): void {
  describe('lets a hub that trusts it', () => {
    let hub: RunningHub
    beforeAll(async () => {
      hub = await startHubHere({
        HUB_IDENTITY: 'external',
        HUB_ISSUER: provider().issuer,
        HUB_AUDIENCE: 'hub',
        HUB_PUSH_AUDIENCE: PUSH_AUDIENCE,
      })
    })
    afterAll(() => hub.stop())

    const push = (path: string, token?: string, body = '{}') =>
      fetch(`${hub.url}/push${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : bearer(token)),
        },
        body,
      })
    const read = (path: string, token?: string) =>
      fetch(`${hub.url}${path}`, token === undefined ? {} : { headers: bearer(token) })

    it.each(matrix)('take a push of %s to %s: %s', async (client, path, isAllowed) => {
      const response = await push(path, await clientToken(provider(), client))
      const text = isAllowed ? 'Data accepted' : 'Not authorized'
      expect(response.status).toBe(isAllowed ? 200 : 403)
      expect(await membersOf(response)).toMatchObject({ message: text })
    })

    it('refuse a push without a token, and with one that is none', async () => {
      const path = '/testprovider/testdataset'
      const token = await clientToken(provider(), 'pusher')
      const statuses = [await push(path), await push(path, 'x'), await push(path, `${token}x`)]
      expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401])
    })

    it('refuse a push whose session has ended, though the token has not: 401', async () => {
      const { body } = await userTokens(provider(), 'website')
      const token = String(body['access_token'])
      const form = { client_id: 'website', refresh_token: String(body['refresh_token']) }
      await post(provider(), form, { path: 'logout' })
      const response = await push('/testprovider/testdataset', token)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain('invalid_token')
    })

    it('open closed records by the roles in a token, and nothing to others', async () => {
      const pusher = await clientToken(provider(), 'pusher')
      await push('/testprovider/testdataset', pusher, JSON.stringify(closedRecord))
      const statusOf = async (id: string, token?: string) =>
        (await read(`/v1/Accommodation/${id}`, token)).status
      await expect.poll(() => statusOf('OPEN'), { timeout: 20_000 }).toBe(200)
      expect(await statusOf('CLOSED')).toBe(404)
      expect(await statusOf('CLOSED', pusher)).toBe(404)
      expect(await statusOf('CLOSED', await clientToken(provider(), 'admin'))).toBe(200)
    })

    it('open to a user what the client’s scope lets through', async () => {
      const reading = async (client: string) => {
        const { body } = await userTokens(provider(), client)
        return (await read('/v1/Accommodation/CLOSED', String(body['access_token']))).status
      }
      expect(await reading('website')).toBe(200)
      expect(await reading('narrow')).toBe(404)
    })

    it('tell an ID token and a refresh token from an access token', async () => {
      const { body } = await userTokens(provider(), 'website')
      const statuses = await Promise.all(
        ['access_token', 'id_token', 'refresh_token'].map(
          async (name) => (await read('/v1/MetaData', String(body[name]))).status,
        ),
      )
      expect(statuses).toEqual([200, 401, 401])
    })

    it('go on without a single refusal while the provider changes its key', async () => {
      const old = await clientToken(provider(), 'admin')
      const seen = new Set<number>()
      const ended = new AbortController()
      const asking = (async () => {
        while (!ended.signal.aborted) {
          const fresh = await clientToken(provider(), 'admin')
          for (const token of [old, fresh]) seen.add((await read('/v1/MetaData', token)).status)
        }
      })()
      await provider().rotateKeys()
      const young = await clientToken(provider(), 'admin')
      seen.add((await read('/v1/MetaData', young)).status)
      ended.abort()
      await asking
      expect([...seen]).toEqual([200])
    })
  })
}
