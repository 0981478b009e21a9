import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { changeAs, requirePrincipal, requireRole } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { checkedBody, jsonType } from '../http/index.ts'
import { listClients, listUsers } from '../identity/index.ts'
import type { FixedAccounts } from '../identity/index.ts'
import type { Database, Secrets, Transaction } from '../storage/index.ts'
import type { ScopeNames } from './permissions.ts'

export type AdminDeps = {
  readonly database: Database
  readonly now: () => Date
  readonly secrets: Secrets
  /** Where users and clients are managed. */
  readonly identity:
    | { readonly kind: 'embedded'; readonly fixed: FixedAccounts }
    | { readonly kind: 'external'; readonly issuer: string }
  /** The client whose roles count in the hub besides those of the realm. */
  readonly ownClient: string
  readonly scopeNames: ScopeNames
  /** Applies a change on this node at once. Other nodes apply it within 5 s. */
  readonly refresh: () => Promise<void>
}

/** Bytes of a request body. The limit is higher for rules, which are sent as whole files. */
export const bodyLimit = 65_536
export const ruleLimit = 2_097_152

const ADMIN = 'ADMIN'

/**
 * Requires the role ADMIN, before the body is read. Checking the role in the token is enough,
 * because removing the role also ends the token. Responses must not be cached: they are for their
 * caller alone.
 */
export function demandAdmin(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  requireRole(request.principal, ADMIN)
  void reply.header('cache-control', 'no-store')
  done()
}

/**
 * Returns a hook that lets a request pass only if the hub itself manages accounts. @throws AppError
 * HUB-ACC-008
 */
export function demandOwnAccounts({ identity }: AdminDeps) {
  return (_request: unknown, _reply: unknown, done: () => void): void => {
    if (identity.kind === 'external') {
      throw new AppError(
        'HUB-ACC-008',
        `The identity provider at ${identity.issuer} manages users, clients and roles.`,
        { hint: 'Change them there. The hub manages rules and the scopes of push permissions.' },
      )
    }
    done()
  }
}

/**
 * Rejects the name of a demo account, which hides a stored account of the same name.
 * @throws AppError HUB-ACC-006
 */
export function assertNotFixed({ identity }: AdminDeps, kind: 'user' | 'client', name: string) {
  if (identity.kind === 'external') return
  const { users, clients } = identity.fixed
  const names =
    kind === 'client'
      ? clients.map(({ clientId }) => clientId)
      : users.map(({ username }) => username)
  if (!names.includes(kind === 'client' ? name : name.toLowerCase())) return
  throw new AppError('HUB-ACC-006', `${name} is a ${kind} of the demo.`, {
    hint: 'Choose another name. Accounts of the demo are fixed.',
  })
}

/**
 * Returns the validated body. The NUL character is rejected, because PostgreSQL texts cannot hold
 * it.
 * @throws AppError HUB-BDY-001
 */
export function bodyOf<Schema extends TSchema>(
  schema: Schema,
  { body }: Pick<FastifyRequest, 'body'>,
): Static<Schema> {
  if (JSON.stringify(body ?? null).includes(String.raw`\u0000`)) {
    throw new AppError('HUB-BDY-001', 'The body contains the NUL character.')
  }
  return checkedBody(schema, body, '/docs/api describes the body.')
}

/** Changes access in the name of the caller, and applies the change on this node. */
export async function changeBy<Result>(
  { database, refresh }: AdminDeps,
  request: FastifyRequest,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { name, subject, client } = requirePrincipal(request.principal)
  const result = await changeAs(database, { name, subject, client, request: request.id }, work)
  await refresh()
  return result
}

/**
 * Rejects a change after which no ADMIN is left. Commands may remove the last one, since they can
 * add another; a request may not.
 * @throws AppError HUB-ACC-007 if no ADMIN is left, or if the caller's own client would admit none
 */
export async function assertAdministered(
  tx: Transaction,
  { identity, ownClient }: AdminDeps,
  request: FastifyRequest,
): Promise<void> {
  if (identity.kind === 'external') return
  const clients = await listClients(tx)
  assertOwnClient(request, clients)
  const holds = ({ roles, clientRoles }: Pick<(typeof clients)[number], 'roles' | 'clientRoles'>) =>
    [...roles, ...(clientRoles[ownClient] ?? [])].includes(ADMIN)
  const users = [...identity.fixed.users, ...(await listUsers(tx))]
  const programs = clients.filter(({ grantTypes: grants }) => grants.includes('client_credentials'))
  const fixed = identity.fixed.clients.map((client) => ({ ...client, enabled: true }))
  if ([...users, ...programs, ...fixed].some((one) => one.enabled && holds(one))) return
  throw new AppError('HUB-ACC-007', 'No enabled account would have the role ADMIN any more.', {
    hint: 'Grant ADMIN to another user first. On the machine of the hub, hub access makes any change.',
  })
}

type Clients = Awaited<ReturnType<typeof listClients>>

/**
 * Rejects a change after which the client of the caller's token, if it is a stored one, is disabled
 * or can no longer carry ADMIN. @throws AppError HUB-ACC-007
 */
function assertOwnClient(request: FastifyRequest, clients: Clients): void {
  const { client: id } = requirePrincipal(request.principal)
  const own = clients.find(({ clientId }) => clientId === id)
  const serves = own?.enabled === true && (own.scopeRoles?.includes(ADMIN) ?? true)
  if (own === undefined || serves) return
  throw new AppError(
    'HUB-ACC-007',
    `Your own token was issued to the client ${id}: it must stay enabled, with ADMIN in its scope.`,
    { hint: 'Log in through another client to change this one, or use hub access.' },
  )
}

/**
 * Rejects the removal of the client that the caller's token was issued to. @throws AppError
 * HUB-ACC-007
 */
export function assertOtherClient(request: FastifyRequest, id: string): void {
  if (requirePrincipal(request.principal).client !== id) return
  throw new AppError('HUB-ACC-007', `Your own token was issued to the client ${id}.`, {
    hint: 'Log in through another client to remove this one, or use hub access.',
  })
}

export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply.type(jsonType).send(JSON.stringify(value))
}
