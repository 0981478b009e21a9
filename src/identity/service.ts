import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { PushPermission, VerifyToken } from '../access/index.ts'
import { bearerOf } from './client-credentials.ts'
import { readForm } from './form.ts'
import { introspect } from './introspect.ts'
import { passOn } from './pass-on.ts'
import { REALMS, paths } from './paths.ts'
import { makeProvider } from './provider.ts'
import type { ProviderDeps } from './provider.ts'
import type { KeyStore, SigningKeys } from './signing-keys.ts'
import { tokenEndpoint } from './token-endpoint.ts'
import { answerTokenErrors } from './token-error-handler.ts'
import { tellUser } from './user-info.ts'

export type IdentityDeps = ProviderDeps & {
  readonly keys: KeyStore
  /** Verifier of the tokens issued here. */
  readonly verifyToken: VerifyToken
  readonly permission: PushPermission
  /** `HUB_PUSH_AUDIENCE`: what decision requests name as their audience. */
  readonly pushAudience: string
}

/** What oidc-provider answers by itself. */
const passedOn = [
  ['GET', '/.well-known/openid-configuration', 'What the token service offers, and where'],
  ['GET', paths.jwks, 'The public keys that tokens are signed with'],
  ['GET', paths.authorization, 'Begin the authorization code flow'],
  ['GET', `${paths.authorization}/:uid`, 'Go on with the authorization code flow'],
  ['POST', paths.revocation, 'Make a refresh token worthless'],
  ['GET', paths.end_session, 'Log out'],
  ['POST', `${paths.end_session}/confirm`, 'Confirm logging out'],
  ['GET', `${paths.end_session}/success`, 'Tell that one is logged out'],
] as const

/**
 * The embedded token service, in Keycloak's path layout (interface 4.12). The issuer's path must be
 * `/auth/realms/<realm>`.
 */
export function identityService(deps: IdentityDeps): FastifyPluginAsync {
  const root = new URL(deps.issuer).pathname
  const provider = providerOf(deps)
  const pass = async ({ raw }: FastifyRequest, reply: FastifyReply) => {
    passOn(await provider(), { message: raw, reply, root })
  }
  const at = (path: string) => `${REALMS}/:realm${path}`

  return async (app) => {
    // Bodies stay streams: oidc-provider reads those of its requests itself.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => {
      done(null, payload)
    })
    app.setErrorHandler(answerTokenErrors(deps.onError))
    app.addHook('onRequest', refuseOtherRealms(root))

    for (const [method, path] of passedOn) app.route({ method, url: at(path), handler: pass })
    app.post(at(paths.token), tokenEndpoint({ ...deps, provider, root }))
    app.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: at(paths.token),
      handler: onlyPost,
    })
    const introspection = { schema: described('What a token says') }
    app.post(at(paths.introspection), introspection, async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      const { authorization } = request.headers
      const asked = { authorization, form: await readForm(request) }
      return introspect(asked, { ...deps, provider: await provider() })
    })
    app.route({
      method: ['GET', 'POST'],
      url: at(paths.userinfo),
      schema: described('Who the bearer of a token is'),
      handler: ({ headers }, reply) => tellUser(bearerOf(headers), reply, deps),
    })
  }
}

function described(summary: string) {
  return { tags: ['Tokens'], summary }
}

/** The provider signs with the keys as they are now: new keys make a new one, which costs little. */
function providerOf(deps: IdentityDeps): () => Promise<Provider> {
  let made: { readonly keys: SigningKeys; readonly provider: Provider } | undefined
  return async () => {
    const keys = await deps.keys.current()
    if (made?.keys !== keys) made = { keys, provider: makeProvider(deps, keys) }
    return made.provider
  }
}

function refuseOtherRealms(root: string) {
  return async ({ url }: FastifyRequest, reply: FastifyReply) => {
    if (url.startsWith(`${root}/`)) return
    return reply.code(404).send({ error: 'Realm does not exist' })
  }
}

function onlyPost(_: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(405)
    .header('allow', 'POST')
    .send({ error: 'invalid_request', error_description: 'Tokens are asked for with POST' })
}
