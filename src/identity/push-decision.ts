import type { PushPermission, VerifyToken } from '../access/index.ts'
import { tokenError } from './token-error.ts'

type Deps = {
  readonly verifyToken: VerifyToken
  readonly permission: PushPermission
  /** Client id of the resource server that paths belong to. */
  readonly audience: string
}

/** The grant type of a decision request. */
export const UMA_TICKET = 'urn:ietf:params:oauth:grant-type:uma-ticket'

/**
 * Answers whether the bearer of a token may push to a path, the way Keycloak does
 * (push-traffic-auth.md 1.4), so that other collectors can ask the embedded service too.
 * @throws token errors 400, 401, 403
 */
export async function decidePush(
  token: string | undefined,
  form: URLSearchParams,
  { verifyToken, permission, audience }: Deps,
): Promise<{ readonly result: true }> {
  const found = token === undefined ? undefined : await verifyToken(token)
  if (found?.kind !== 'verified') throw tokenError(401, 'invalid_grant', 'Invalid bearer token')
  if (form.get('response_mode') !== 'decision') {
    throw tokenError(400, 'invalid_request', 'Only response_mode=decision is offered')
  }
  const asked = form.get('audience')
  if (asked !== audience) {
    throw tokenError(400, 'invalid_request', `Unknown resource server id: [${asked ?? ''}]`)
  }
  const paths = form.getAll('permission')
  const decisions = await Promise.all(
    paths.map((path) => permission.mayPush(found.principal, path)),
  )
  if (decisions.length === 0 || decisions.includes(false)) {
    throw tokenError(403, 'access_denied', 'not_authorized')
  }
  return { result: true }
}
