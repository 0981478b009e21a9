import type { Adapter } from 'oidc-provider'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import type { Client } from './account.ts'
import type { Accounts } from './accounts.ts'
import { applicationType } from './redirect-uris.ts'
import type { Revocations } from './revocations.ts'
import { tokenError } from './token-error.ts'

type Deps = {
  readonly database: Queryable
  readonly now: () => Date
  readonly revocations: Pick<Revocations, 'revoke'>
}

/** For what has no life of its own; sessions and grants name theirs. */
const DEFAULT_SECONDS = 86_400

/**
 * Keeps one kind of state of oidc-provider (`RefreshToken`, `Grant`, `Session` …) in the database,
 * so that it outlives a restart and all nodes share it.
 */
export function stateAdapter(model: string, { database, now, revocations }: Deps): Adapter {
  const find = async (condition: Sql) => {
    const [row] = await database.query<{ payload: string; consumed: string | null }>(sql`
      select payload::text as payload, extract(epoch from consumed)::bigint::text as consumed
      from identity_state where model = ${model} and ${condition}`)
    return row === undefined ? undefined : toState(row)
  }
  return {
    find: (id) => find(sql`id = ${id}`),
    findByUid: (uid) => find(sql`uid = ${uid}`),
    // Only the device flow, which is off, has user codes.
    findByUserCode: () => Promise.resolve(undefined),
    upsert: async (id, payload, expiresIn = DEFAULT_SECONDS) => {
      const expires = new Date(now().getTime() + expiresIn * 1000)
      await database.execute(storeState({ model, id, payload, expires }))
      if (model === 'RefreshToken') await database.execute(prolongLogin(payload))
      await database.execute(forgetExpired(now()))
    },
    consume: async (id) => {
      const consumed = await database.execute(sql`
        update identity_state set consumed = ${now()}
        where model = ${model} and id = ${id} and consumed is null`)
      // Of two that use the same refresh token at the same moment, one must lose.
      if (consumed === 0) throw tokenError(400, 'invalid_grant', 'The token was used already')
    },
    destroy: async (id) => {
      await database.execute(sql`delete from identity_state where model = ${model} and id = ${id}`)
    },
    revokeByGrantId: async (grantId) => {
      // Access tokens are JWTs that nobody stores; their `sid` is the grant.
      if (model === 'AccessToken') await revocations.revoke({ kind: 'session', id: grantId })
      await database.execute(sql`delete from identity_state where grant_id = ${grantId}`)
    },
  }
}

/** Lets oidc-provider find clients. It may not write any: `hub access` does. */
export function clientAdapter(accounts: Accounts): Adapter {
  const refuse = () => Promise.reject(new Error('Clients are not written through the provider.'))
  return {
    find: async (id) => {
      const client = await accounts.findClient(id)
      return client === undefined ? undefined : toOidcClient(client)
    },
    findByUid: () => Promise.resolve(undefined),
    findByUserCode: () => Promise.resolve(undefined),
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  }
}

type State = {
  readonly model: string
  readonly id: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly expires: Date
}

function storeState({ model, id, payload, expires }: State): Sql {
  const { grantId = null, uid = null } = payload
  return sql`
    insert into identity_state (model, id, payload, grant_id, uid, expires)
    values (${model}, ${id}, ${JSON.stringify(payload)}::jsonb, ${grantId}, ${uid}, ${expires})
    on conflict (model, id) do update
    set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
      expires = excluded.expires`
}

/**
 * Whoever renews tokens is still there, so the login in the browser that they come from lasts as long
 * as they do: the idle time of a session counts for both.
 */
function prolongLogin({ sessionUid = null, exp = null }: State['payload']): Sql {
  return sql`
    update identity_state
    set expires = to_timestamp(${exp}::float8),
      payload = jsonb_set(payload, '{exp}', to_jsonb(${exp}::bigint))
    where model = 'Session' and uid = ${sessionUid}
      and (payload ->> 'exp')::bigint < ${exp}::bigint`
}

/** Each write clears a little of what ended an hour ago, so nothing piles up and nobody waits. */
function forgetExpired(now: Date): Sql {
  const ended = new Date(now.getTime() - 3_600_000)
  return sql`
    delete from identity_state where (model, id) in (
      select model, id from identity_state where expires < ${ended}
      limit 20 for update skip locked)`
}

function toState(row: { payload: string; consumed: string | null }) {
  const payload: unknown = JSON.parse(row.payload)
  const state = typeof payload === 'object' && payload !== null ? { ...payload } : {}
  return row.consumed === null ? state : { ...state, consumed: Number(row.consumed) }
}

/**
 * A client as oidc-provider knows it (OpenID Connect Dynamic Client Registration 1.0, section 2).
 * It never learns the secret: it insists on having one, and asks `compareClientSecret` about it.
 */
function toOidcClient(client: Client): Readonly<Record<string, unknown>> {
  const usesBrowser = client.grantTypes.includes('authorization_code')
  return {
    client_id: client.clientId,
    ...(client.secret === null
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'kept elsewhere' }),
    grant_types: client.grantTypes,
    response_types: usesBrowser ? ['code'] : [],
    redirect_uris: usesBrowser ? client.redirectUris : [],
    post_logout_redirect_uris: usesBrowser ? [...client.redirectUris, ...client.logoutUris] : [],
    application_type: applicationType(client.redirectUris),
    refresh_seconds: client.refreshSeconds,
  }
}
