import { describe, expect, it } from 'vitest'
import { FORBIDDEN } from './accounts.ts'
import { bearer, clientToken, post } from './provider.ts'
import type { TokenProvider } from './provider.ts'
import { PUSH_AUDIENCE } from './realm.ts'

/** Who may push where: the matrix of push-traffic-auth.md 1.4. */
export const matrix = [
  ['pusher', '/testprovider/testdataset', true],
  ['pusher', '/testprovider/nonexistingdataset', false],
  ['pusher', FORBIDDEN, false],
  ['pusher', '/wild/anything', true],
  ['pusher', '/testprovider/otherdataset', false],
  ['otherpusher', '/testprovider/otherdataset', true],
  ['otherpusher', '/testprovider/testdataset', false],
  ['unpusher', '/testprovider/testdataset', false],
] as const

const request = {
  grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
  audience: PUSH_AUDIENCE,
  permission: '/testprovider/testdataset',
  permission_resource_format: 'uri',
  permission_resource_matching_uri: 'true',
  response_mode: 'decision',
  response_include_resource_name: 'true',
}

/** Declares the tests of decision requests, as any collector sends them. */
export function describeDecisions(provider: () => TokenProvider): void {
  describe('decides who may push', () => {
    const decide = async (client: string, changes: Readonly<Record<string, string>> = {}) => {
      const token = await clientToken(provider(), client)
      return await post(provider(), { ...request, ...changes }, bearer(token))
    }

    it.each(matrix)('%s to %s: %s', async (client, permission, isAllowed) => {
      const { status, body } = await decide(client, { permission })
      if (isAllowed) expect([status, body]).toEqual([200, { result: true }])
      // Keycloak has streams independently of permissions (invalid_resource); the hub has only
      // grants.
      else expect([400, 403]).toContain(status)
      if (!isAllowed) expect(['access_denied', 'invalid_resource']).toContain(body['error'])
    })

    it('several paths at once: it may where it may on all', async () => {
      const token = await clientToken(provider(), 'pusher')
      const both: [string, string][] = [...Object.entries(request), ['permission', '/wild/x']]
      expect((await post(provider(), both, bearer(token))).body).toEqual({ result: true })
    })

    it('nothing for a token that is none: invalid_grant', async () => {
      const { status, body } = await post(provider(), request, bearer('x'))
      expect([400, 401]).toContain(status)
      expect(body).toEqual({ error: 'invalid_grant', error_description: 'Invalid bearer token' })
    })

    it('nothing for an audience that has no streams', async () => {
      const { status, body } = await decide('pusher', { audience: 'machine' })
      expect([status, body['error']]).toEqual([400, 'invalid_request'])
    })

    it('nothing in a form that it does not know', async () => {
      const { status, body } = await decide('pusher', { response_mode: 'nonsense' })
      expect([status, body['error']]).toEqual([400, 'invalid_request'])
    })
  })
}
