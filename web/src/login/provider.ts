import * as oauth from 'oauth4webapi'
import type { Tokens } from './tokens.ts'

/** The page's registration at the identity provider. */
export type Registration = { readonly issuer: string; readonly clientId: string }

export type Provider = {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly options: { readonly [oauth.allowInsecureRequests]: boolean }
}

/**
 * Loads the provider's metadata. Plain HTTP is allowed only if the issuer's URL uses it, as on a
 * developer's machine.
 */
export async function discover({ issuer, clientId }: Registration): Promise<Provider> {
  const url = new URL(issuer)
  const options = { [oauth.allowInsecureRequests]: url.protocol === 'http:' }
  const response = await oauth.discoveryRequest(url, options)
  const server = await oauth.processDiscoveryResponse(url, response)
  return { server, client: { client_id: clientId }, options }
}

const redirectUri = () => `${location.origin}/login/done`

/** Prepares a login: the URL to send the browser to, and the secrets to keep until it returns. */
export async function startLogin({ server, client }: Provider) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }).toString()
  return { url, verifier, state }
}

type Answer = { readonly url: URL; readonly verifier: string; readonly state: string }

/** Exchanges the parameters of the redirect for tokens. */
export async function finishLogin(provider: Provider, answer: Answer): Promise<Tokens> {
  const { server, client, options } = provider
  const parameters = oauth.validateAuthResponse(server, client, answer.url, answer.state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri(),
    answer.verifier,
    options,
  )
  return toTokens(await oauth.processAuthorizationCodeResponse(server, client, response))
}

/** Renews tokens with the refresh token, without interrupting the user. */
export async function renew(provider: Provider, tokens: Tokens): Promise<Tokens> {
  const { server, client, options } = provider
  const refresh = tokens.refresh ?? ''
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    refresh,
    options,
  )
  const renewed = toTokens(await oauth.processRefreshTokenResponse(server, client, response))
  return { ...renewed, refresh: renewed.refresh ?? tokens.refresh, id: renewed.id ?? tokens.id }
}

/** Reports whether the provider has refused a request for good (RFC 6749, section 5.2). */
export function isRefusal(thrown: unknown): boolean {
  return thrown instanceof oauth.ResponseBodyError && refusals.includes(thrown.error)
}

const refusals: readonly string[] = [
  ...['invalid_grant', 'invalid_client', 'unauthorized_client', 'unsupported_grant_type'],
  ...['invalid_request', 'invalid_scope'],
]

/**
 * Returns the URL that ends the session at the provider (OpenID Connect RP-Initiated Logout 1.0),
 * or undefined if the provider has none.
 */
export function logoutAddress({ server, client }: Provider, tokens: Tokens): URL | undefined {
  if (server.end_session_endpoint === undefined) return undefined
  const url = new URL(server.end_session_endpoint)
  url.searchParams.set('client_id', client.client_id)
  url.searchParams.set('post_logout_redirect_uri', `${location.origin}/`)
  if (tokens.id !== undefined) url.searchParams.set('id_token_hint', tokens.id)
  return url
}

function toTokens(answer: oauth.TokenEndpointResponse): Tokens {
  return {
    access: answer.access_token,
    refresh: answer.refresh_token,
    id: answer.id_token,
    expires: Date.now() + (answer.expires_in ?? 60) * 1000,
  }
}
