import type { FastifyReply, FastifyRequest } from 'fastify'
import { decodeProtectedHeader } from 'jose'
import type { JWTPayload } from 'jose'
import type { Provider } from 'oidc-provider'
import type { VerifyToken } from '../access/index.ts'
import type { Every } from '../async/index.ts'
import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import type { Accounts } from './accounts.ts'
import { ACCESS_TOKEN, requireClient } from './client-credentials.ts'
import { passOn, readForm, withForm } from './form.ts'
import { forgetPublicSecret } from './token-endpoint.ts'

type Deps = {
  readonly database: Queryable
  readonly now: () => Date
  readonly every: Every
  /** Called when the list could not be reloaded. The last known list stays in force. */
  readonly onError: (error: unknown) => void
}

/** Tokens that were revoked before they expired, at most `REFRESH` ms behind the database. */
export type Revocations = {
  /** Loads the list and then refreshes it periodically. */
  readonly start: () => Promise<void>
  readonly stop: () => void
  readonly refresh: () => Promise<void>
  /** Revokes tokens: at once on this node, within `REFRESH` on the others. */
  readonly revoke: (ended: Ended) => Promise<void>
  readonly isRevoked: (claims: JWTPayload) => boolean
  /** Reports whether the key that signed a token is no longer trusted. */
  readonly hasLostKey: (token: string) => boolean
}

/**
 * Milliseconds between two refreshes. As for access rules, a change must be in force on every node
 * within 5 s.
 */
const REFRESH = 3_000

export function openRevocations({ database, now, every, onError }: Deps): Revocations {
  let known: ReadonlyMap<string, number> = new Map()
  let end: (() => void) | undefined

  const refresh = async () => {
    const before = known
    const stored = await loadRevocations(database, now())
    // Keeps what this node revoked while the list was being loaded.
    const since = known === before ? [] : known
    known = new Map([...stored.map((row) => [keyOf(row), row.ended] as const), ...since])
  }
  const endOf = (kind: Ended['kind'], id: unknown) => known.get(`${kind} ${String(id)}`)

  return {
    refresh,
    start: async () => {
      await refresh()
      end = every(REFRESH, () => refresh().catch(onError))
    },
    stop: () => end?.(),
    revoke: async (ended) => {
      const at = now()
      await storeRevocation(database, ended, at)
      known = new Map([...known, [keyOf(ended), at.getTime()]])
    },
    isRevoked: ({ jti, sid, sub, azp, iat = 0, iat_ms: issued = iat * 1000 }) =>
      endOf('token', jti) !== undefined ||
      endOf('session', sid) !== undefined ||
      Number(issued) <= (endOf('user', sub) ?? -1) ||
      Number(issued) <= (endOf('client', azp) ?? -1),
    hasLostKey: (token) =>
      known.size > 0 && endOf('key', decodeProtectedHeader(token).kid) !== undefined,
  }
}

/** Returns a verifier that also rejects revoked tokens. */
export function refuseRevoked(
  verify: VerifyToken,
  { isRevoked, hasLostKey }: Pick<Revocations, 'isRevoked' | 'hasLostKey'>,
): VerifyToken {
  return async (token) => {
    const found = await verify(token)
    if (found.kind === 'rejected') return found
    if (!isRevoked(found.claims) && !hasLostKey(token)) return found
    return { kind: 'rejected', reason: 'The token was revoked' }
  }
}

function keyOf({ kind, id }: Ended): string {
  return `${kind} ${id}`
}

/**
 * What is revoked: a token by `jti`, a session by `sid`, all tokens that a user or client got so
 * far, or all tokens that a key signed.
 */
type Ended = {
  readonly kind: 'token' | 'session' | 'user' | 'client' | 'key'
  readonly id: string
}

/**
 * A stored revocation; `ended` in milliseconds since 1970. The seconds of `iat` do not tell whether
 * a token is from before or after it.
 */
type StoredRevocation = Ended & { readonly ended: number }

/**
 * Milliseconds to keep a revocation: the lifetime of an access token, plus a margin for clocks that
 * differ.
 */
const REMEMBERED = (ACCESS_TOKEN + 120) * 1000
/**
 * Milliseconds to keep the revocation of a key. The holder of a leaked key can sign tokens with any
 * expiry.
 */
const KEY_REMEMBERED = 366 * 86_400_000

/** Stores a revocation for as long as an affected token could still be used. */
export async function storeRevocation(
  database: Queryable,
  { kind, id }: Ended,
  now: Date,
): Promise<void> {
  const expires = new Date(now.getTime() + (kind === 'key' ? KEY_REMEMBERED : REMEMBERED))
  await database.execute(sql`
    insert into identity_revocation (kind, id, ended, expires)
    values (${kind}, ${id}, ${now}, ${expires})
    on conflict (kind, id) do update
    set ended = greatest(excluded.ended, identity_revocation.ended),
      expires = greatest(excluded.expires, identity_revocation.expires)`)
  await database.execute(sql`
    delete from identity_revocation where (kind, id) in (
      select kind, id from identity_revocation where expires < ${now}
      limit 20 for update skip locked)`)
}

async function loadRevocations(
  database: Queryable,
  now: Date,
): Promise<readonly StoredRevocation[]> {
  return await database.query<StoredRevocation>(sql`
    select kind, id, floor(extract(epoch from ended) * 1000)::float8 as ended
    from identity_revocation where expires >= ${now}`)
}

/**
 * Deletes everything that belongs to a session: the grant, its tokens, and the login in the
 * browser.
 */
export async function endSession(database: Queryable, grantId: string): Promise<void> {
  await database.execute(sql`
    delete from identity_state
    where grant_id = ${grantId} or (model = 'Grant' and id = ${grantId})
      or (model = 'Session' and uid in (
        select payload ->> 'sessionUid' from identity_state where grant_id = ${grantId}))`)
}

/**
 * Logs a user out everywhere, or ends everything issued to a client: refresh tokens, sessions and
 * logins at once, access tokens when the nodes have loaded the revocation.
 */
export async function endSessionsOf(
  database: Queryable,
  holder: { readonly kind: 'user' | 'client'; readonly id: string },
  now: Date,
): Promise<void> {
  const owned =
    holder.kind === 'user'
      ? sql`payload ->> 'accountId' = ${holder.id}`
      : sql`payload ->> 'clientId' = ${holder.id}`
  await database.execute(sql`delete from identity_state where ${owned}`)
  await storeRevocation(database, holder, now)
}

type RevokeDeps = {
  readonly accounts: Accounts
  readonly verifyToken: VerifyToken
  readonly revocations: Revocations
  readonly provider: () => Promise<Provider>
  readonly root: string
}

/** The form of a JWT, which access tokens have; refresh tokens contain no dots. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Handles `POST …/revoke` (RFC 7009). oidc-provider revokes refresh tokens, which ends their
 * session too. It cannot revoke access tokens, so the hub stores their ids.
 * @throws token error 401 without a valid client, for which oidc-provider has other codes
 */
export function revokeToken({ accounts, verifyToken, revocations, provider, root }: RevokeDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = await readForm(request)
    const token = form.get('token') ?? ''
    const { authorization } = request.headers
    const client = await requireClient({ authorization, form, address: request.ip }, accounts)
    if (!JWT.test(token)) {
      await forgetPublicSecret(form, accounts)
      passOn(await provider(), { message: withForm(request.raw, form), reply, root })
      return reply
    }
    const found = await verifyToken(token)
    // An invalid token, or one of another client, gets the same response (RFC 7009, section 2.2).
    if (found.kind === 'verified' && found.principal.client === client.clientId) {
      await revocations.revoke({ kind: 'token', id: String(found.claims.jti) })
    }
    return reply.header('cache-control', 'no-store').send('')
  }
}
