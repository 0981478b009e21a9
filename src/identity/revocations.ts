import { decodeProtectedHeader } from 'jose'
import type { JWTPayload } from 'jose'
import type { Every, VerifyToken } from '../access/index.ts'
import type { Queryable } from '../storage/database.ts'
import { loadRevocations, storeRevocation } from './store-revocation.ts'
import type { Ended } from './store-revocation.ts'

type Deps = {
  readonly database: Queryable
  readonly now: () => Date
  readonly every: Every
  /** Told when the list could not be read again; the last one stays in force. */
  readonly onError: (error: unknown) => void
}

/** Which tokens ended before their time, at most `REFRESH` behind the database. */
export type Revocations = {
  /** Reads the list and keeps it fresh from then on. */
  readonly start: () => Promise<void>
  readonly stop: () => void
  /** Reads the list again, now. */
  readonly refresh: () => Promise<void>
  /** Ends tokens: at once on this node, within `REFRESH` on the others. */
  readonly revoke: (ended: Ended) => Promise<void>
  readonly isRevoked: (claims: JWTPayload) => boolean
  /** Whether the key that signed a token is no longer believed. */
  readonly hasLostKey: (token: string) => boolean
}

/** As with the access rules: a change is in force on every node within 5 s. */
const REFRESH = 3_000

export function openRevocations({ database, now, every, onError }: Deps): Revocations {
  let known: ReadonlyMap<string, number> = new Map()
  let end: (() => void) | undefined

  const refresh = async () => {
    const before = known
    const stored = await loadRevocations(database, now())
    // What was revoked here while the list was on its way must not be lost with it.
    const since = known === before ? [] : known
    known = new Map([...stored.map((row) => [keyOf(row), row.ended] as const), ...since])
  }
  const endOf = (kind: Ended['kind'], id: unknown) => known.get(`${kind} ${String(id)}`)

  return {
    refresh,
    start: async () => {
      await refresh()
      end = every(REFRESH, () => void refresh().catch(onError))
    },
    stop: () => end?.(),
    revoke: async (ended) => {
      const at = now()
      await storeRevocation(database, ended, at)
      known = new Map([...known, [keyOf(ended), seconds(at)]])
    },
    isRevoked: ({ jti, sid, sub, azp, iat = 0 }) =>
      endOf('token', jti) !== undefined ||
      endOf('session', sid) !== undefined ||
      iat <= (endOf('user', sub) ?? -1) ||
      iat <= (endOf('client', azp) ?? -1),
    hasLostKey: (token) =>
      known.size > 0 && endOf('key', decodeProtectedHeader(token).kid) !== undefined,
  }
}

/** Verifies like `verify`, but does not believe what was revoked. */
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

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
