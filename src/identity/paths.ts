/** Where Keycloak has its endpoints, below `/auth/realms/{realm}` (push-traffic-auth.md 4.4). */
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

/** Those that oidc-provider knows, by its names. */
const { login: _login, uma: _uma, ...routes } = paths
export const providerPaths = routes

/** The path below which realms lie: an issuer is `<public url>/auth/realms/<realm>`. */
export const REALMS = '/auth/realms'
