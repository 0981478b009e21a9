import { Type } from 'typebox'
import type { TSchema } from 'typebox'

/** Paths of Keycloak's endpoints, below `/auth/realms/{realm}` (push-traffic-auth.md 4.4). */
export const paths = {
  authorization: '/protocol/openid-connect/auth',
  token: '/protocol/openid-connect/token',
  introspection: '/protocol/openid-connect/token/introspect',
  jwks: '/protocol/openid-connect/certs',
  userinfo: '/protocol/openid-connect/userinfo',
  revocation: '/protocol/openid-connect/revoke',
  end_session: '/protocol/openid-connect/logout',
  login: '/login-actions/authenticate',
  uma: '/.well-known/uma2-configuration',
} as const

/** The paths that oidc-provider supports, by its names for them. */
const { login: _login, uma: _uma, ...routes } = paths
export const providerPaths = routes

/** The path below which realms are: an issuer is `<public url>/auth/realms/<realm>`. */
export const REALMS = '/auth/realms'

const anyObject = Type.Object({}, { additionalProperties: true })

/** The format of every error of the token service (RFC 6749, section 5.2; decision D1). */
const refusal = Type.Object({
  error: Type.String({ description: 'An error code of RFC 6749, such as invalid_grant' }),
  error_description: Type.Optional(Type.String()),
})

const json = (description: string, schema: TSchema) => ({
  description,
  content: { 'application/json': { schema } },
})

const refused = (description: string) => json(description, refusal)

const page = (description: string) => ({
  description,
  content: { 'text/html': { schema: Type.String() } },
})

const realm = Type.String({
  maxLength: 100,
  description: 'Name of the realm; its URL is the issuer of the tokens',
  examples: ['hub'],
})

const uid = Type.String({
  maxLength: 100,
  description: 'Identifies the login to which the browser is redirected',
  examples: ['example'],
})

const redirected = { description: 'Redirects the browser' }

type Described = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly params?: Readonly<Record<string, TSchema>>
  readonly body?: object
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly response: Readonly<Record<number, object>>
}

/**
 * Describes a route of the token service. Its query string is defined and parsed by its protocol.
 */
const operation = ({ params = {}, response, ...rest }: Described) => ({
  schema: {
    // Callers authenticate in the body, with HTTP Basic, or with the session of their browser.
    security: [{}],
    ...rest,
    tags: ['Tokens'],
    params: Type.Object({ realm, ...params }),
    response: {
      400: refused('The request violates the protocol'),
      ...response,
      404: refused('There is no such realm'),
      500: refused('The token service failed'),
      503: refused('The token service cannot respond now; Retry-After specifies when to try again'),
    },
  },
  config: { queryReader: 'protocol' } as const,
})

const form = (properties: Readonly<Record<string, TSchema>>, example: object) => ({
  content: {
    'application/x-www-form-urlencoded': {
      schema: Type.Object(properties, { examples: [example] }),
    },
  },
})

const text = (description: string, maxLength = 4000) =>
  Type.Optional(Type.String({ maxLength, description }))

const client = {
  client_id: text('The client, unless HTTP Basic specifies it', 1000),
  client_secret: text('The secret of the client', 255),
}

/** An example client. In demo mode the secret of a client is its id. */
const demoClient = { client_id: 'demo-basic', client_secret: 'demo-basic' }

const someToken = Type.String({ maxLength: 16_000, description: 'An access or refresh token' })

const unproven = {
  401: refused('The client is not authenticated'),
  429: {
    ...refused('Too many failed attempts; Retry-After specifies when to try again'),
    headers: { 'Retry-After': { type: 'integer', minimum: 0, description: 'Seconds to wait' } },
  },
}

/** Routes that oidc-provider handles by itself. */
export const passedOn = [
  {
    path: '/.well-known/openid-configuration',
    ...operation({
      operationId: 'getOpenidConfiguration',
      summary: 'Features and URLs of the token service',
      description: 'OpenID Connect Discovery 1.0.',
      response: { 200: json('The metadata of the issuer', anyObject) },
    }),
  },
  {
    path: paths.jwks,
    ...operation({
      operationId: 'getSigningKeys',
      summary: 'The public keys that verify tokens',
      description: 'A JSON Web Key Set (RFC 7517).',
      response: {
        200: {
          description: 'The keys',
          content: { 'application/jwk-set+json': { schema: anyObject } },
        },
      },
    }),
  },
  {
    path: paths.authorization,
    ...operation({
      operationId: 'authorize',
      summary: 'Start the authorization code flow',
      description: 'For browsers: RFC 6749, section 4.1, with PKCE (RFC 7636).',
      response: { 303: redirected, 400: page('The request violates the protocol') },
    }),
  },
  {
    path: `${paths.authorization}/:uid`,
    ...operation({
      operationId: 'resumeAuthorization',
      summary: 'Continue the authorization code flow',
      description: 'The URL to which the browser returns after the login.',
      params: { uid },
      response: { 303: redirected, 400: page('The login does not exist, or has ended') },
    }),
  },
  {
    path: paths.end_session,
    ...operation({
      operationId: 'showLogout',
      summary: 'Log out',
      description: 'OpenID Connect RP-Initiated Logout 1.0.',
      response: {
        200: page('A page that asks for confirmation'),
        303: redirected,
        400: page('What was wrong'),
      },
    }),
  },
  {
    path: `${paths.end_session}/success`,
    ...operation({
      operationId: 'showLoggedOut',
      summary: 'Show that the user is logged out',
      description: 'The page to which the browser goes if no client gives a redirect URI.',
      response: { 200: page('A page that shows this'), 400: page('What was wrong') },
    }),
  },
] as const

export const confirmOperation = operation({
  operationId: 'confirmLogout',
  summary: 'Confirm logging out',
  description: 'The form of the confirmation page.',
  response: { 303: redirected },
})

export const logOutOperation = operation({
  operationId: 'endSession',
  summary: 'End a session',
  description: 'With the refresh token of a session, as clients of Keycloak do.',
  body: form(
    { refresh_token: text('Refresh token of the session', 16_000), ...client },
    { refresh_token: 'example', ...demoClient },
  ),
  response: { 204: { description: 'The session has ended' }, 303: redirected, ...unproven },
})

export const showLoginOperation = operation({
  operationId: 'showLogin',
  summary: 'The login page',
  description: 'A form for a name and a password.',
  params: { uid },
  response: { 200: page('The page'), 400: page('The login does not exist, or has ended') },
})

export const loginOperation = operation({
  operationId: 'logIn',
  summary: 'Log in',
  description: 'The form of the login page.',
  params: { uid },
  body: form(
    { username: text('Name', 255), password: text('Password', 1000) },
    { username: 'demo', password: 'demo' },
  ),
  response: { 303: redirected, 400: page('The page again, with the fault') },
})

export const tokenOperation = operation({
  operationId: 'getToken',
  summary: 'Get tokens and decisions',
  description:
    'Grants: client_credentials, password, refresh_token, authorization_code, and decisions about pushes (UMA 2.0).',
  body: form(
    {
      grant_type: Type.String({ maxLength: 200, description: 'Such as client_credentials' }),
      ...client,
      username: text('With the grant password', 255),
      password: text('With the grant password', 1000),
      refresh_token: text('With the grant refresh_token', 16_000),
      code: text('With the grant authorization_code'),
      scope: text('Such as openid', 1000),
    },
    { grant_type: 'client_credentials', ...demoClient },
  ),
  response: {
    200: json('Tokens, or a decision', anyObject),
    ...unproven,
    403: refused('The decision is negative'),
  },
})

export const revokeOperation = operation({
  operationId: 'revokeToken',
  summary: 'Revoke a token',
  description: 'RFC 7009.',
  body: form({ token: someToken, ...client }, { token: 'example', ...demoClient }),
  response: {
    200: {
      description: 'The token, if it was valid, is revoked',
      content: { 'text/plain': { schema: Type.String() } },
    },
    ...unproven,
  },
})

export const umaOperation = operation({
  operationId: 'getUmaConfiguration',
  summary: 'Where permissions are decided',
  description: 'Metadata of User-Managed Access 2.0.',
  response: { 200: json('The metadata', anyObject) },
})

export const introspectOperation = operation({
  operationId: 'introspectToken',
  summary: 'Introspect a token',
  description: 'RFC 7662.',
  body: form({ token: someToken, ...client }, { token: 'example', ...demoClient }),
  response: {
    200: json('Whether it is active, and its claims', anyObject),
    403: refused('A client without a secret cannot introspect tokens'),
    ...unproven,
  },
})

/**
 * Describes userinfo, for which `GET` and `POST` are equivalent (OpenID Connect Core 1.0, section
 * 5.3).
 */
export const userinfoOperation = (operationId: string) =>
  operation({
    operationId,
    summary: 'Get the user of a token',
    description: 'OpenID Connect Core 1.0, section 5.3.',
    security: [{ bearer: [] }],
    response: {
      200: json('The claims about the user', anyObject),
      401: refused('No valid token was sent'),
      403: refused('The token does not have the scope openid'),
    },
  })
