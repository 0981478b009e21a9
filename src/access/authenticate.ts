import { anonymous } from './principal.ts'
import type { Principal } from './principal.ts'
import type { VerifyToken } from './verify-token.ts'

type Headers = { readonly authorization?: string | undefined }

/** Finds out who asks, from the header fields of a request. */
export type Authenticate = (headers: Headers) => Promise<Principal>

// Authorization: Bearer <token>, the scheme in any case (RFC 9110, section 11.1; RFC 6750, 2.1)
const BEARER = /^bearer +(?<token>[A-Za-z0-9._~+/-]+=*) *$/i

/**
 * Makes `authenticate`. A token that cannot be believed makes its bearer anonymous with a reason
 * (decision D6); whether that is enough is for the route to say, with `requirePrincipal`.
 * @throws AppError HUB-ACC-004 from the returned function when the token cannot be judged
 */
export function authenticator(verifyToken: VerifyToken): Authenticate {
  return async ({ authorization }) => {
    if (authorization === undefined || authorization.trim() === '') return anonymous
    const token = BEARER.exec(authorization)?.groups?.['token']
    if (token === undefined) {
      return { kind: 'anonymous', rejected: 'Write the header as Authorization: Bearer <token>' }
    }
    const found = await verifyToken(token)
    if (found.kind === 'rejected') return { kind: 'anonymous', rejected: found.reason }
    return found.principal
  }
}
