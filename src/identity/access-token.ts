import type { Context, JwtParts, Token } from 'oidc-provider'
import type { Accounts } from './accounts.ts'
import { clientClaims, grantedScope, userClaims } from './token-claims.ts'

/** Writes an access token as Keycloak does (push-traffic-auth.md 4.2), roles as they are now. */
export function shapeAccessToken(accounts: Accounts) {
  return async (_: Context, token: Token, parts: JwtParts): Promise<void> => {
    const { exp, iat, jti, iss, aud } = parts.payload
    parts.header = { typ: 'JWT' }
    parts.payload = {
      exp,
      iat,
      jti,
      iss,
      aud,
      typ: 'Bearer',
      azp: token.clientId,
      acr: '1',
      ...(token.grantId === undefined ? {} : { sid: token.grantId }),
      scope: grantedScope(token.scope),
      ...(await bearerClaims(token, accounts)),
    }
  }
}

async function bearerClaims({ clientId, accountId }: Token, accounts: Accounts) {
  const client = await accounts.findClient(clientId)
  if (client === undefined) throw new Error(`The client ${clientId} is gone.`)
  if (accountId === undefined) return clientClaims(client)
  const user = await accounts.findUser(accountId)
  if (user === undefined) throw new Error(`The user ${accountId} is gone.`)
  return userClaims(user, client)
}
