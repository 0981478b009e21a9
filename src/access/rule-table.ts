import type { Problem } from '../observe/index.ts'
import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import type { Principal } from './principal.ts'
import { ownOnly } from './push-permission.ts'
import type { PushScope } from './push-permission.ts'
import { loadAccessData, loadVersion } from './rules.ts'
import type { AccessData, AccessRule, PushGrant } from './rules.ts'
import type { Visibility } from './visibility.ts'

/** Runs `work` again and again; the returned function ends that. */
export type Every = (milliseconds: number, work: () => void) => () => void

type Deps = {
  readonly database: Queryable
  readonly every: Every
  /** Told when the rules could not be read again; the last ones stay in force for a minute. */
  readonly onError: (error: unknown) => void
}

/** The rules and grants in memory, at most `REFRESH` behind the database. */
export type RuleTable = {
  /** Reads the rules and keeps them fresh from then on. Until then nothing closed is visible. */
  readonly start: () => Promise<void>
  readonly stop: () => void
  /** That they could not be read for a minute; nothing otherwise. */
  readonly problems: () => readonly Problem[]
  /** Reads the rules again if they changed, now. */
  readonly refresh: () => Promise<void>
  readonly visibility: (principal: Principal) => Visibility
  readonly grants: () => readonly PushGrant[]
}

/** A change is in force on every node within 5 s; the rest is for the query itself. */
const REFRESH = 3_000

/**
 * So many times in a row, a minute, they may not be read. Then they are in force no longer: nothing closed is visible
 * by a rule, and nobody may push by a grant, since either may have been taken back.
 */
const MOST_UNREAD = 20

const unreadRules: Problem = {
  component: 'access',
  detail:
    'The access rules could not be read for a minute. Until they are, nothing closed is visible by a rule, and nobody may push by a grant.',
}

export function ruleTable({ database, every, onError }: Deps): RuleTable {
  let data: AccessData = { version: '', rules: [], grants: [] }
  let seen = visibilityUnder(data.rules)
  let pending: Promise<void> | undefined
  let end: (() => void) | undefined
  let unread = 0
  const nothing = visibilityUnder([])
  const areCurrent = () => unread < MOST_UNREAD

  const read = async () => {
    if (data.version === '' || (await loadVersion(database)) !== data.version) {
      data = await loadAccessData(database)
      seen = visibilityUnder(data.rules)
    }
    unread = 0
  }
  const refresh = () => {
    pending ??= read().finally(() => {
      pending = undefined
    })
    return pending
  }

  return {
    refresh,
    start: async () => {
      await refresh()
      end = every(REFRESH, () => {
        unread += 1
        void refresh().catch(onError)
      })
    },
    stop: () => end?.(),
    problems: () => (areCurrent() ? [] : [unreadRules]),
    visibility: (principal) => (areCurrent() ? seen : nothing)(principal),
    grants: () => (areCurrent() ? data.grants : []),
  }
}

const GUEST = 'GUEST'
const OPENS_EVERYTHING = ['ADMIN', 'BDP_VIEW_CLOSED_DATA']
const PREFIX = 'BDP_'

const everything: Visibility = { kind: 'everything' }

/** The names under which rules open data to a principal; undefined for one who sees all (D60). */
function rulesOf(principal: Principal): readonly string[] | undefined {
  if (principal.kind === 'anonymous') return [GUEST]
  if (OPENS_EVERYTHING.some((role) => principal.roles.has(role))) return undefined
  const names = [...principal.roles].filter((role) => role.startsWith(PREFIX))
  return [GUEST, ...names.map((role) => role.slice(PREFIX.length)).sort()]
}

/**
 * Makes the function that determines what a principal can see under a set of rules. Principals with the
 * same names get the same object, so what was worked out for one serves the next.
 */
export function visibilityUnder(
  rules: readonly AccessRule[],
): (principal: Principal) => Visibility {
  const known = new Set(rules.map(({ role }) => role))
  const cache = new Map<string, Visibility>()
  const of = (principal: Principal) => {
    const names = rulesOf(principal)?.filter((name) => known.has(name))
    if (names === undefined) return everything
    const key = JSON.stringify(names)
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const visibility: Visibility = {
      kind: 'rules',
      rules: rules.filter(({ role }) => names.includes(role)),
    }
    cache.set(key, visibility)
    return visibility
  }
  const forAnyone = of({ kind: 'anonymous' })
  return (principal) => (principal.kind === 'anonymous' ? forAnyone : of(principal))
}

/** A rule with the number that it is removed by. */
type NumberedRule = AccessRule & { readonly id: string }

/** All rules, by role and what they open. */
export async function listRules(database: Queryable): Promise<readonly NumberedRule[]> {
  return await database.query<NumberedRule>(sql`
    select id::text as id, role, area, origin, type, data_type as "dataType", period
    from access_rule order by role, area, origin, type, data_type, period, access_rule.id`)
}

/** Adds rules; existing ones stay. Returns how many are new. */
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
type ScopedGrant = PushGrant & PushScope

/** Who may push where and what, by client. */
export async function listGrants(database: Queryable): Promise<readonly ScopedGrant[]> {
  return await database.query<ScopedGrant>(sql`
    select client, path_pattern as "pathPattern", kinds, entities, station_types, origins, sources,
      may_delete, may_complete, may_publish_closed
    from push_grant order by client, path_pattern`)
}

/** Sets the scope of an existing permission. Returns 0 when nothing changed. */
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
