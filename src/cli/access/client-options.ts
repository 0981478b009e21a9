import type { Command } from 'commander'
import { redirectFault } from '../../identity/index.ts'
import type { StoredClient } from '../../identity/index.ts'
import {
  grantTypes,
  parseClientRoles,
  parseGrantTypes,
  parseList,
  parseSeconds,
} from './parse-options.ts'

export type ClientOptions = {
  readonly public?: true
  readonly grants?: readonly string[]
  readonly redirectUri?: readonly string[]
  readonly logoutUri?: readonly string[]
  readonly roles?: readonly string[]
  readonly clientRoles?: StoredClient['clientRoles']
  readonly scopeRoles?: readonly string[]
  readonly fullScope?: true
  readonly refreshSeconds?: number
  readonly sessionRefresh?: true
  readonly enable?: true
  readonly disable?: true
}

export function takesClientOptions(command: Command): Command {
  return command
    .option('--grants <list>', `how it may ask: ${grantTypes.join(', ')}`, parseGrantTypes)
    .option('--redirect-uri <address...>', 'where a login may end, exactly; may be repeated')
    .option('--logout-uri <address...>', 'where logging out may end, besides those')
    .option('--roles <list>', 'roles of its own tokens, such as BDP_A22', parseList)
    .option(
      '--client-roles <client=list>',
      'its own roles of a client; may be repeated',
      parseClientRoles,
    )
    .option('--scope-roles <list>', 'the only roles that its users’ tokens may carry', parseList)
    .option('--full-scope', 'its users’ tokens carry all their roles (the default)')
    .option('--refresh-seconds <number>', 'its own limit of a refresh token', parseSeconds)
    .option('--session-refresh', 'no limit of its own (the default)')
}

type New = {
  readonly id: string
  /** Undefined for a public client. */
  readonly hash: string | undefined
  readonly options: ClientOptions
}

/** A client as the options say, with the defaults that fit its kind. */
export function toNewClient({ id, hash, options }: New): StoredClient {
  const usesBrowser = options.redirectUri !== undefined
  const forUsers = usesBrowser
    ? ['authorization_code', 'refresh_token']
    : ['password', 'refresh_token']
  const blank: StoredClient = {
    clientId: id,
    secret: hash === undefined ? null : { kind: 'hash', hash },
    enabled: true,
    grantTypes: hash === undefined || usesBrowser ? forUsers : ['client_credentials'],
    redirectUris: [],
    logoutUris: [],
    roles: [],
    clientRoles: {},
    scopeRoles: null,
    refreshSeconds: null,
  }
  return toChanged(blank, options)
}

/** The client with what the options name in place of what it had. */
export function toChanged(client: StoredClient, options: ClientOptions): StoredClient {
  return {
    ...client,
    enabled: options.disable === true ? false : (options.enable ?? client.enabled),
    grantTypes: options.grants ?? client.grantTypes,
    redirectUris: options.redirectUri ?? client.redirectUris,
    logoutUris: options.logoutUri ?? client.logoutUris,
    roles: options.roles ?? client.roles,
    clientRoles: { ...client.clientRoles, ...options.clientRoles },
    scopeRoles: options.fullScope === true ? null : (options.scopeRoles ?? client.scopeRoles),
    refreshSeconds:
      options.sessionRefresh === true ? null : (options.refreshSeconds ?? client.refreshSeconds),
  }
}

/** @throws Error that says why no token could ever come of this client */
export function assertUsable(client: StoredClient): void {
  const { grantTypes: grants, redirectUris, logoutUris, secret } = client
  const fault = redirectFault([...redirectUris, ...logoutUris])
  if (fault !== undefined) throw new Error(`${fault}.`)
  if (grants.includes('authorization_code') && redirectUris.length === 0) {
    throw new Error('The grant authorization_code needs --redirect-uri: where a login may end.')
  }
  if (grants.includes('client_credentials') && secret === null) {
    throw new Error(
      'A public client has no secret, so it can have no tokens of its own: leave client_credentials out, or add it without --public.',
    )
  }
}
