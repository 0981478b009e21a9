/** A client program that requests tokens, described independently of the token service. */
export type TestClient = {
  readonly clientId: string
  /** Missing for a public client. */
  readonly secret?: string
  readonly grants: readonly ('client_credentials' | 'password' | 'authorization_code')[]
  /** Roles of its service account. */
  readonly roles?: readonly string[]
  readonly portalRoles?: readonly string[]
  /** Roles that its tokens may carry; missing for full scope. */
  readonly scopeRoles?: readonly string[]
  readonly refreshSeconds?: number
  /** Paths that it may push to, as in `/<provider>/<dataset>`. */
  readonly mayPush?: readonly string[]
}

export type TestUser = {
  readonly username: string
  readonly password: string
  readonly enabled: boolean
  readonly roles: readonly string[]
  readonly portalRoles: readonly string[]
}

/** Client whose roles are under `resource_access`. */
export const PORTAL = 'portal'
/** Redirect URI of the code flow. Nothing listens there: the suite stops at the redirect. */
export const CALLBACK = 'http://127.0.0.1:9/callback'
/** A stream that exists as a resource but that no client may push to. */
export const FORBIDDEN = '/testprovider/forbidden'

export const clients: readonly TestClient[] = [
  {
    clientId: 'machine',
    secret: 'machine secret',
    grants: ['client_credentials'],
    roles: ['BDP_A22'],
    portalRoles: ['READER'],
  },
  { clientId: 'inspector', secret: 'inspector secret', grants: ['client_credentials'] },
  { clientId: 'no-machine', secret: 'no-machine secret', grants: ['password'] },
  { clientId: 'website', grants: ['password'] },
  { clientId: 'narrow', grants: ['password'], scopeRoles: ['BDP_A22'] },
  { clientId: 'brief', grants: ['password'], refreshSeconds: 2 },
  { clientId: 'browser', grants: ['authorization_code'] },
  {
    clientId: 'admin',
    secret: 'admin secret',
    grants: ['client_credentials'],
    roles: ['BDP_VIEW_CLOSED_DATA'],
  },
  {
    clientId: 'pusher',
    secret: 'pusher secret',
    grants: ['client_credentials'],
    mayPush: ['/testprovider/testdataset', '/wild/*'],
  },
  {
    clientId: 'otherpusher',
    secret: 'otherpusher secret',
    grants: ['client_credentials'],
    mayPush: ['/testprovider/otherdataset'],
  },
  { clientId: 'unpusher', secret: 'unpusher secret', grants: ['client_credentials'] },
]

export const users: readonly TestUser[] = [
  {
    username: 'ada',
    password: 'lovelace',
    enabled: true,
    roles: ['BDP_A22', 'ADMIN'],
    portalRoles: ['READER'],
  },
  { username: 'gone', password: 'long gone', enabled: false, roles: [], portalRoles: [] },
]

/** Returns the credentials of a client as form fields. */
export function credentialsOf(clientId: string): Readonly<Record<string, string>> {
  const secret = clients.find((client) => client.clientId === clientId)?.secret
  return { client_id: clientId, ...(secret === undefined ? {} : { client_secret: secret }) }
}
