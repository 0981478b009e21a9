import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { PushPermission, VerifyToken } from '../access/index.ts'
import { bearerOf, isBasic } from './client-credentials.ts'
import { passOn, readForm } from './form.ts'
import { introspect, answerUserinfo, umaConfiguration } from './introspect.ts'
import { logOut, showLogin, submitLogin } from './login.ts'
import {
  REALMS,
  confirmOperation,
  introspectOperation,
  logOutOperation,
  loginOperation,
  passedOn,
  paths,
  revokeOperation,
  showLoginOperation,
  tokenOperation,
  umaOperation,
  userinfoOperation,
} from './operations.ts'
import type { ProviderDeps } from './provider-configuration.ts'
import { makeProvider } from './provider.ts'
import { revokeToken } from './revocations.ts'
import type { KeyStore, SigningKeys } from './signing-keys.ts'
import { answerTokenErrors, tokenEndpoint } from './token-endpoint.ts'

export type IdentityDeps = ProviderDeps & {
  readonly keys: KeyStore
  /** Verifier of the tokens issued here. */
  readonly verifyToken: VerifyToken
  readonly permission: PushPermission
  /** `HUB_PUSH_AUDIENCE`: what decision requests name as their audience. */
  readonly pushAudience: string
}

/** The service with what its routes share. */
type Parts = IdentityDeps & { readonly provider: () => Promise<Provider>; readonly root: string }

/**
 * The embedded token service, in Keycloak's path layout (interface 4.12). The issuer's path must be
 * `/auth/realms/<realm>`.
 */
export function identityService(deps: IdentityDeps): FastifyPluginAsync {
  const parts = { ...deps, provider: providerOf(deps), root: new URL(deps.issuer).pathname }
  return async (app) => {
    // Bodies stay streams: oidc-provider reads those of its requests itself.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => {
      done(null, payload)
    })
    app.setErrorHandler(answerTokenErrors(deps.onError))
    app.addHook('onRequest', refuseOtherRealms(parts.root))
    app.addHook('onRequest', takeBasic)
    app.addHook('onReady', deps.revocations.start)
    app.addHook('onClose', async () => {
      deps.revocations.stop()
    })
    addLogins(app, parts)
    addTokens(app, parts)
    addQuestions(app, parts)
  }
}

/** What browsers visit, and the documents and keys that programs read. */
function addLogins(app: FastifyInstance, parts: Parts): void {
  const pass = async ({ raw }: FastifyRequest, reply: FastifyReply) => {
    passOn(await parts.provider(), { message: raw, reply, root: parts.root })
  }
  for (const { path, schema, config } of passedOn) app.get(at(path), { schema, config }, pass)
  app.post(at(`${paths.end_session}/confirm`), confirmOperation, pass)
  app.post(at(paths.end_session), logOutOperation, logOut(parts))
  const login = at(`${paths.login}/:uid`)
  app.get(login, showLoginOperation, showLogin(parts))
  app.post(login, loginOperation, submitLogin(parts))
}

function addTokens(app: FastifyInstance, parts: Parts): void {
  app.post(at(paths.token), tokenOperation, tokenEndpoint(parts))
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: at(paths.token),
    schema: { hide: true },
    config: { queryReader: 'protocol' },
    handler: onlyPost,
  })
  app.post(at(paths.revocation), revokeOperation, revokeToken(parts))
}

function addQuestions(app: FastifyInstance, parts: Parts): void {
  app.get(at(paths.uma), umaOperation, () => umaConfiguration(parts.issuer))
  app.post(at(paths.introspection), introspectOperation, async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    const { headers, ip } = request
    const form = await readForm(request)
    const asked = { authorization: headers.authorization, form, address: ip }
    return introspect(asked, { ...parts, provider: await parts.provider() })
  })
  const report = ({ headers }: FastifyRequest, reply: FastifyReply) =>
    answerUserinfo(bearerOf(headers), reply, parts)
  app.get(at(paths.userinfo), userinfoOperation('getUserinfo'), report)
  app.post(at(paths.userinfo), userinfoOperation('postUserinfo'), report)
}

function at(path: string): string {
  return `${REALMS}/:realm${path}`
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

/** Elsewhere HTTP Basic is not a token that counts (decision D6); here clients prove themselves with it. */
async function takeBasic({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (isBasic(headers)) void reply.removeHeader('www-authenticate')
}

function onlyPost(_: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(405)
    .header('allow', 'POST')
    .send({ error: 'invalid_request', error_description: 'Tokens are asked for with POST' })
}
