import type { FastifyPluginAsync } from 'fastify'
import {
  discoverProvider,
  embeddedPushPermission,
  remoteKeys,
  ruleTable,
  tokenVerifier,
  umaPushPermission,
} from '../access/index.ts'
import type { PushPermission, RuleTable } from '../access/index.ts'
import type { AdminDeps } from '../admin/index.ts'
import { publicUrlOf } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import { authenticator } from '../http/index.ts'
import type { Authenticate } from '../http/index.ts'
import {
  REALMS,
  demoAccounts,
  demoPageClient,
  demoPushGrants,
  identityService,
  openAccounts,
  openKeyStore,
  openRevocations,
  refuseRevoked,
} from '../identity/index.ts'
import type { Environment } from './environment.ts'
import type { Store } from './open-store.ts'

/** Access control: which callers may do what, and how they authenticate. */
export type Access = {
  readonly authenticate: Authenticate
  readonly permission: PushPermission
  readonly rules: RuleTable
  readonly tokenUrl: string
  readonly issuer: string
  /** The manager of users and clients, and the client whose roles count in tokens. */
  readonly accounts: Pick<AdminDeps, 'identity' | 'ownClient'>
  /** Applies changes of access on this node at once. */
  readonly refresh: () => Promise<void>
  readonly services: readonly FastifyPluginAsync[]
}

/** Only `demo` has the demo accounts. */
export type Mode = 'demo' | 'serve'

type Deps = {
  readonly config: Config
  readonly store: Pick<Store, 'database' | 'secrets'>
  readonly environment: Environment
  readonly mode: Mode
}

export async function composeAccess(deps: Deps): Promise<Access> {
  const { environment } = deps
  const rules = ruleTable({
    // The primary, not a replica: a withdrawn rule must not stay in force because a replica lags.
    database: deps.store.database,
    every: environment.every,
    onError: (err) => {
      environment.log.error({ err }, 'The access rules could not be read; the last ones stay.')
    },
  })
  const trusted =
    deps.config.HUB_IDENTITY === 'external' ? trustExternal(deps) : await embedTokens(deps, rules)
  const refresh = async () => {
    await Promise.all([rules.refresh(), trusted.refresh()])
  }
  return { rules, ...trusted, refresh }
}

type Trust = Omit<Access, 'rules'>

/** Path of the token endpoint below an issuer, the same in Keycloak and in the embedded service. */
const tokenPath = '/protocol/openid-connect/token'

/** Trusts the provider at `HUB_ISSUER` for tokens and push decisions. */
function trustExternal({ config, environment: { fetch, now } }: Deps): Trust {
  const issuer = config.HUB_ISSUER ?? ''
  const discover = discoverProvider({ issuer, fetch })
  const keys = remoteKeys({ discover, fetch, now })
  // `loadConfig` requires both with an external provider.
  const ownClient = config.HUB_AUDIENCE ?? ''
  const audience = config.HUB_PUSH_AUDIENCE
  return {
    authenticate: authenticator(
      tokenVerifier({ issuer, audience: ownClient, ownClient, keys, toleranceSeconds: 5, now }),
    ),
    permission: umaPushPermission({ discover, audience, fetch, now }),
    tokenUrl: `${issuer}${tokenPath}`,
    issuer,
    accounts: { identity: { kind: 'external', issuer }, ownClient },
    refresh: () => Promise.resolve(),
    services: [],
  }
}

const demoFixed = (publicUrl: string) => ({
  ...demoAccounts,
  clients: [...demoAccounts.clients, demoPageClient(publicUrl)],
})

/** Sets up the embedded token service. Its keys, clients and grants are in the hub's database. */
async function embedTokens(deps: Deps, rules: RuleTable): Promise<Trust> {
  const { config, store, mode, environment } = deps
  const { database } = store
  const { every, log, now } = environment
  const issuer = `${publicUrlOf(config)}${REALMS}/${config.HUB_REALM}`
  const keys = await openKeyStore({ ...store, now })
  const onError = (err: unknown) => {
    log.error({ err }, 'The token service failed.')
  }
  const revocations = openRevocations({ database, every, now, onError })
  const ownClient = config.HUB_AUDIENCE ?? 'hub'
  const own = { issuer, audience: config.HUB_AUDIENCE, ownClient, keys: keys.resolve, now }
  const verifyToken = refuseRevoked(tokenVerifier({ ...own, toleranceSeconds: 0 }), revocations)
  const isDemo = mode === 'demo'
  const fixed = isDemo ? demoFixed(publicUrlOf(config)) : { clients: [], users: [] }
  const developmentClient = isDemo ? 'on' : config.HUB_DEVELOPMENT_CLIENT
  const accounts = openAccounts({ database, now, fixed, developmentClient })
  const permission = embeddedPushPermission(rules.grants, isDemo ? demoPushGrants : [])
  const service = identityService({
    issuer,
    audience: ownClient,
    pushAudience: config.HUB_PUSH_AUDIENCE,
    ...{ accounts, keys, database, now, verifyToken, permission, revocations, onError },
  })
  return {
    ...{ permission, issuer, services: [service] },
    authenticate: authenticator(verifyToken),
    tokenUrl: `${issuer}${tokenPath}`,
    accounts: { identity: { kind: 'embedded', fixed }, ownClient },
    refresh: async () => {
      await Promise.all([revocations.refresh(), keys.refresh()])
    },
  }
}
