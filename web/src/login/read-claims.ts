/** Who a token is about. The hub checks tokens; the page only shows what stands in them. */
export type Person = { readonly name: string; readonly roles: readonly string[] }

/** The name and the roles in an access token as Keycloak and the hub write them. */
export function readPerson(token: string): Person {
  const claims = readClaims(token)
  const access = claims['realm_access']
  const roles =
    isObject(access) && Array.isArray(access['roles']) ? access['roles'].map(String) : []
  const named = [claims['preferred_username'], claims['name'], claims['sub']]
  return { name: named.find((name) => typeof name === 'string') ?? '', roles }
}

function readClaims(token: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = token.split('.')
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
      one.charCodeAt(0),
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isObject(claims) ? claims : {}
  } catch {
    return {}
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
