import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import { ownOnly } from './push-scope.ts'
import type { PushScope } from './push-scope.ts'
import type { AccessRule, PushGrant } from './rules.ts'

/** A rule with the number that it is removed by. */
export type NumberedRule = AccessRule & { readonly id: string }

/** All rules, by role and what they open. */
export async function listRules(database: Queryable): Promise<readonly NumberedRule[]> {
  return await database.query<NumberedRule>(sql`
    select id::text as id, role, area, origin, type, data_type as "dataType", period
    from access_rule order by role, area, origin, type, data_type, period, access_rule.id`)
}

/** Adds rules; those that are there already stay. Returns how many are new. */
export async function addRules(database: Queryable, rules: readonly AccessRule[]): Promise<number> {
  const values = rules.map(({ role, area, origin, type, dataType, period }) => ({
    role,
    area,
    origin,
    type,
    data_type: dataType,
    period,
  }))
  return await database.execute(sql`
    insert into access_rule (role, area, origin, type, data_type, period)
    select role, area, origin, type, data_type, period
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
      as rule (role text, area text, origin text, type text, data_type text, period integer)
    on conflict do nothing`)
}

/** Removes rules by their numbers. Returns how many there were. */
export async function removeRules(database: Queryable, ids: readonly string[]): Promise<number> {
  return await database.execute(sql`delete from access_rule where id::text = any(${ids})`)
}

export async function removeAllRules(database: Queryable): Promise<number> {
  return await database.execute(sql`delete from access_rule`)
}

/** A permission to push, and what it covers. */
export type ScopedGrant = PushGrant & PushScope

/** Who may push where and what, by client. */
export async function listGrants(database: Queryable): Promise<readonly ScopedGrant[]> {
  return await database.query<ScopedGrant>(sql`
    select client, path_pattern as "pathPattern", kinds, entities, station_types, origins, sources,
      may_delete, may_complete, may_publish_closed
    from push_grant order by client, path_pattern`)
}

/** Sets the scope of a permission that is there already. Returns 0 when nothing changed. */
export async function addGrant(
  database: Queryable,
  { client, pathPattern }: PushGrant,
  scope: PushScope = ownOnly,
): Promise<number> {
  return await database.execute(sql`
    insert into push_grant as known
    select * from jsonb_populate_record(null::push_grant,
      ${JSON.stringify({ client, path_pattern: pathPattern, ...scope })}::jsonb)
    on conflict (client, path_pattern) do update set
      kinds = excluded.kinds, entities = excluded.entities,
      station_types = excluded.station_types, origins = excluded.origins,
      sources = excluded.sources, may_delete = excluded.may_delete,
      may_complete = excluded.may_complete, may_publish_closed = excluded.may_publish_closed
    where to_jsonb(known) <> to_jsonb(excluded)`)
}

/** Returns 0 when the client did not have it. */
export async function removeGrant(database: Queryable, grant: PushGrant): Promise<number> {
  return await database.execute(sql`
    delete from push_grant where client = ${grant.client} and path_pattern = ${grant.pathPattern}`)
}

/** Takes all push permissions of a client away. */
export async function removeGrantsOf(database: Queryable, client: string): Promise<number> {
  return await database.execute(sql`delete from push_grant where client = ${client}`)
}
