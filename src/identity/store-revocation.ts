import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import { ACCESS_TOKEN } from './lifetimes.ts'

/**
 * What ends before its time: a token by `jti`, a session by `sid`, all that a user or client had so
 * far, all that a key has signed.
 */
export type Ended = {
  readonly kind: 'token' | 'session' | 'user' | 'client' | 'key'
  readonly id: string
}

/** `ended` in seconds since 1970, as the times in a token. */
export type StoredRevocation = Ended & { readonly ended: number }

/** The life of an access token, with room for clocks that differ. */
const REMEMBERED = (ACCESS_TOKEN + 120) * 1000
/** Who holds a leaked key writes into tokens what they like, also when they expire. */
const KEY_REMEMBERED = 366 * 86_400_000

/** Remembers the end of tokens as long as one of them could still be shown. */
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

/** All that can still matter. */
export async function loadRevocations(
  database: Queryable,
  now: Date,
): Promise<readonly StoredRevocation[]> {
  return await database.query<StoredRevocation>(sql`
    select kind, id, floor(extract(epoch from ended))::float8 as ended
    from identity_revocation where expires >= ${now}`)
}

/** Forgets all that belongs to a session: the grant, its tokens, and the login in the browser. */
export async function endSession(database: Queryable, grantId: string): Promise<void> {
  await database.execute(sql`
    delete from identity_state
    where grant_id = ${grantId} or (model = 'Grant' and id = ${grantId})
      or (model = 'Session' and uid in (
        select payload ->> 'sessionUid' from identity_state where grant_id = ${grantId}))`)
}

/**
 * Logs a user out everywhere, or ends all that was issued to a client: refresh tokens, sessions and
 * logins at once, access tokens as soon as the nodes have heard of it.
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
