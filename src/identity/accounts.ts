import { LRUCache } from 'lru-cache'
import type { Queryable } from '../storage/database.ts'
import type { Client, FixedAccounts, User } from './account.ts'
import { knownAddresses } from './known-addresses.ts'
import { loadClient, loadUserById, loadUserByName } from './load-accounts.ts'
import type { StoredClient } from './load-accounts.ts'
import { secretChecker } from './check-secret.ts'

type Deps = {
  readonly database: Queryable
  readonly now: () => Date
  /** Accounts besides the stored ones, which they hide: the demo accounts, or none. */
  readonly fixed: FixedAccounts
  /** `on`: any client id that is not known counts as a public client for users (decision D64). */
  readonly developmentClient: 'on' | 'off'
}

/** A secret or password, and the network address that it came from. */
export type Tried = { readonly secret: string; readonly address: string }

/** The clients and users of the token service, as stored at most five seconds ago. */
export type Accounts = {
  readonly findClient: (clientId: string) => Promise<Client | undefined>
  readonly findUser: (id: string) => Promise<User | undefined>
  /** Whether the secret is this client's; false for a public client, which has none. */
  readonly checkClientSecret: (client: Client, tried: Tried) => Promise<boolean>
  /** The user with this name, if the password is right. Says nothing about `enabled`. */
  readonly checkPassword: (username: string, tried: Tried) => Promise<User | undefined>
}

// client-id = *VSCHAR (RFC 6749, appendix A.1)
const PRINTABLE = /^[\x20-\x7e]{1,1000}$/
const KEPT = 5_000
const CACHED = 2_000

export function openAccounts({ database, now, fixed, developmentClient }: Deps): Accounts {
  const clock = { now: () => now().getTime() }
  const clients = new LRUCache<string, { client: StoredClient | undefined }>({
    max: CACHED,
    ttl: KEPT,
    perf: clock,
  })
  const check = secretChecker({ now, known: knownAddresses(database, { now }) })

  const storedClient = async (clientId: string) => {
    const known = clients.get(clientId)
    if (known !== undefined) return known.client
    const client = await loadClient(database, clientId)
    clients.set(clientId, { client })
    return client
  }

  return {
    findClient: async (clientId) => {
      if (!PRINTABLE.test(clientId)) return undefined
      const fixedClient = fixed.clients.find((client) => client.clientId === clientId)
      if (fixedClient !== undefined) return fixedClient
      const stored = await storedClient(clientId)
      if (stored !== undefined) return stored.enabled ? stored : undefined
      return developmentClient === 'on' ? toDevelopmentClient(clientId) : undefined
    },
    findUser: async (id) =>
      fixed.users.find((user) => user.id === id) ?? (await loadUserById(database, id)),
    checkClientSecret: (client, { secret, address }) =>
      client.secret === null
        ? Promise.resolve(false)
        : check(client.secret, secret, { kind: 'client', account: client.clientId, address }),
    checkPassword: async (username, { secret, address }) => {
      const user =
        fixed.users.find((candidate) => candidate.username === username.toLowerCase()) ??
        (await loadUserByName(database, username))
      const account = username.toLowerCase()
      const right = await check(user?.password, secret, { kind: 'user', account, address })
      return right ? user : undefined
    },
  }
}

function toDevelopmentClient(clientId: string): Client {
  return {
    clientId,
    secret: null,
    grantTypes: ['password', 'refresh_token'],
    redirectUris: [],
    logoutUris: [],
    roles: [],
    clientRoles: {},
    scopeRoles: null,
    refreshSeconds: null,
  }
}
