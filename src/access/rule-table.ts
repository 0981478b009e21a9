import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import { joinRunning } from '../async/index.ts'
import type { Every } from '../async/index.ts'
import type { Problem } from '../observe/index.ts'
import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import type { Principal, Verified } from './principal.ts'
import { holdersOf } from './push-permission.ts'
import type { PushPermission } from './push-permission.ts'

/** Access rules and push grants: storing them, caching them, and deciding by them. */

export type Area = 'content' | 'timeseries' | 'event'

/**
 * A rule that opens the closed data it describes to the holders of a role; null matches anything
 * (decision D60).
 */
export type AccessRule = {
  /** `GUEST`, or the name of a role in a token as `ruleNameOf` returns it. */
  readonly role: string
  readonly area: Area | null
  readonly origin: string | null
  /** Entity, station type or event category. */
  readonly type: string | null
  readonly dataType: string | null
  /** Seconds. */
  readonly period: number | null
}

/** Permission for a client, or for a person (`personHolder`), to push to the paths that match. */
export type PushGrant = { readonly client: string; readonly pathPattern: string }

/** The closed data that a principal sees. Open data is always visible. */
export type Visibility =
  | { readonly kind: 'everything' }
  | { readonly kind: 'rules'; readonly rules: readonly AccessRule[] }

type Deps = {
  readonly database: Queryable
  readonly every: Every
  /**
   * Called when the rules could not be reloaded. The last known rules stay in force for a minute.
   */
  readonly onError: (error: unknown) => void
}

/** The rules and grants in memory, at most `REFRESH` ms behind the database. */
export type RuleTable = {
  /** Loads the rules and then refreshes them periodically. Until then nothing closed is visible. */
  readonly start: () => Promise<void>
  readonly stop: () => void
  /** Reports if the rules could not be reloaded for a minute. */
  readonly problems: () => readonly Problem[]
  /** Reloads the rules at once if they have changed. */
  readonly refresh: () => Promise<void>
  readonly visibility: (principal: Principal) => Visibility
  readonly grants: () => readonly PushGrant[]
}

/**
 * Milliseconds between two checks. A change must be in force on every node within 5 s; the
 * remaining time is for the query itself.
 */
const REFRESH = 3_000

/**
 * Consecutive refreshes, a minute in all, after which unread rules are no longer in force: nothing
 * closed is visible by a rule and nobody may push by a grant, because either may have been revoked.
 */
const MOST_UNREAD = 20

const unreadRules: Problem = {
  component: 'access',
  detail:
    'The access rules could not be read for a minute. Until they can, no rule opens closed data and no push permission applies.',
}

export function ruleTable({ database, every, onError }: Deps): RuleTable {
  let data: AccessData = { version: '', rules: [], grants: [] }
  let seen = visibilityUnder(data.rules)
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
  const refresh = joinRunning(read)
  const again = joinRunning(() => refresh().catch(onError))

  return {
    refresh,
    start: async () => {
      await refresh()
      // Counts even if the previous refresh still waits for the database.
      end = every(REFRESH, () => {
        unread += 1
        void again()
      })
    },
    stop: () => end?.(),
    problems: () => (areCurrent() ? [] : [unreadRules]),
    visibility: (principal) => (areCurrent() ? seen : nothing)(principal),
    grants: () => (areCurrent() ? data.grants : []),
  }
}

type AccessData = {
  readonly version: string
  readonly rules: readonly AccessRule[]
  readonly grants: readonly PushGrant[]
}

/** Returns the number of the last change, a cheap way to detect changes. */
async function loadVersion(database: Queryable): Promise<string> {
  const [row] = await database.query<{ version: string }>(
    sql`select version::text as version from access_version`,
  )
  return row?.version ?? ''
}

/** Loads rules and grants together with their version, in one statement and thus one snapshot. */
async function loadAccessData(database: Queryable): Promise<AccessData> {
  const rows = await database.query<Loaded>(sql`
    select version::text as version, kind, name, area, origin, type, data_type, period
    from access_version
    left join (
      select 'rule' as kind, role as name, area, origin, type, data_type, period from access_rule
      union all
      select 'grant', client, null, path_pattern, null, null, null from push_grant
    ) as entry on true`)
  return {
    version: rows[0]?.version ?? '',
    rules: rows.filter(isRule).map(toRule),
    grants: rows.filter(isGrant).map(toGrant),
  }
}

type Loaded = {
  readonly version: string
  readonly kind: 'rule' | 'grant' | null
  readonly name: string
  readonly area: Area | null
  readonly origin: string | null
  readonly type: string | null
  readonly data_type: string | null
  readonly period: number | null
}

const isRule = ({ kind }: Loaded) => kind === 'rule'
const isGrant = ({ kind }: Loaded) => kind === 'grant'

function toRule({ name, area, origin, type, data_type, period }: Loaded): AccessRule {
  return { role: name, area, origin, type, dataType: data_type, period }
}

function toGrant({ name, origin }: Loaded): PushGrant {
  return { client: name, pathPattern: origin ?? '' }
}

const GUEST = 'GUEST'
const OPENS_EVERYTHING = ['ADMIN', 'BDP_VIEW_CLOSED_DATA']
const PREFIX = 'BDP_'

/** What a role name without `BDP_` must not be taken for: everybody, or a role of another kind. */
const otherwiseTaken = /^(GUEST$|ADMIN$|HUB_ROLE|BDP_)/

/**
 * Returns the name of a role in rules: without its prefix `BDP_`, unless the rest would mean
 * something else. So no two roles in tokens have the same name, and a name means itself.
 */
export function ruleNameOf(role: string): string {
  const name = role.startsWith(PREFIX) ? role.slice(PREFIX.length) : role
  return otherwiseTaken.test(name) ? role : name
}

const everything: Visibility = { kind: 'everything' }

/**
 * Returns the role names whose rules apply to a principal, or undefined if it sees everything
 * (D60).
 */
function rulesOf(principal: Principal): readonly string[] | undefined {
  if (principal.kind === 'anonymous') return [GUEST]
  if (OPENS_EVERYTHING.some((role) => principal.roles.has(role))) return undefined
  const names = [...principal.roles].filter((role) => role.startsWith(PREFIX))
  return [GUEST, ...names.map(ruleNameOf).sort()]
}

/**
 * Returns a function that determines what a principal sees under a set of rules. Principals with
 * the same role names get the same object, so that callers can cache by it.
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

/** The role that may push everywhere if the hub itself decides. */
const ADMIN = 'ADMIN'

/**
 * Returns a push permission that decides by the hub's current grants and by `fixed`, which never
 * change.
 */
export function embeddedPushPermission(
  grants: () => readonly PushGrant[],
  fixed: readonly PushGrant[] = [],
): PushPermission {
  const grantsOf = (holders: readonly string[]) =>
    [...fixed, ...grants()].filter(({ client }) => holders.includes(client))
  const pathsOf = (principal: Verified) =>
    principal.roles.has(ADMIN)
      ? ['/*']
      : grantsOf(holdersOf(principal)).map(({ pathPattern }) => pathPattern)
  return {
    pathsOf,
    senderOf: (principal, path) => {
      const holders = holdersOf(principal)
      const holder = holders.find((one) =>
        grantsOf([one]).some(({ pathPattern }) => matchesPath(pathPattern, path)),
      )
      return holder ?? holders[0] ?? principal.subject
    },
    mayPush: (principal, path) =>
      Promise.resolve(pathsOf(principal).some((pattern) => matchesPath(pattern, path))),
  }
}

/**
 * Reports whether a path matches a pattern: `/a/b` matches that path only, `/a/*` every path below
 * `/a`, `/*` every path. A star is a wildcard only as the whole last segment.
 */
export function matchesPath(pattern: string, path: string): boolean {
  if (!pattern.endsWith('/*')) return pattern === path
  const folder = pattern.slice(0, -1)
  return path.startsWith(folder) && path.length > folder.length
}

type NumberedRule = AccessRule & { readonly id: string }

/** Returns all rules, sorted by role and by what they open. */
export async function listRules(database: Queryable): Promise<readonly NumberedRule[]> {
  return await database.query<NumberedRule>(sql`
    select id::text as id, role, area, origin, type, data_type as "dataType", period
    from access_rule order by role, area, origin, type, data_type, period, access_rule.id`)
}

/** Adds rules and keeps existing ones. Returns how many are new. */
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

/** Removes rules by their numbers. Returns how many existed. */
export async function removeRules(database: Queryable, ids: readonly string[]): Promise<number> {
  return await database.execute(sql`delete from access_rule where id::text = any(${ids})`)
}

export async function removeAllRules(database: Queryable): Promise<number> {
  return await database.execute(sql`delete from access_rule`)
}

const names = Type.Union([Type.Null(), Type.Array(Type.String())])

/**
 * The scope of a push permission (decision D67), with the column names of the table `push_grant`.
 */
const pushScope = Type.Object({
  /** Kinds of canonical objects; null: any. */
  kinds: names,
  /** Content entities; null: any. */
  entities: names,
  /** Types of stations and edges; null: any. */
  station_types: names,
  /** Null: the origins of the stream's own provider, and origins that nobody else uses. */
  origins: names,
  sources: names,
  /** Whether the stream may delete what others wrote under these sources. */
  may_delete: Type.Boolean(),
  /** Whether a complete list also makes stations inactive that others wrote under these origins. */
  may_complete: Type.Boolean(),
  /** Whether the stream may open closed data. */
  may_publish_closed: Type.Boolean(),
})

export type PushScope = Readonly<Static<typeof pushScope>>

/** The scope of a permission without an explicit one: only what the stream itself wrote. */
export const ownOnly: PushScope = {
  kinds: null,
  entities: null,
  station_types: null,
  origins: null,
  sources: null,
  may_delete: false,
  may_complete: false,
  may_publish_closed: false,
}

/**
 * Parses the result of the database function `push_scope`, which is null for a sender without a
 * stored permission.
 */
export function parsePushScope(json: string | null): PushScope {
  return json === null ? ownOnly : Parse(pushScope, JSON.parse(json))
}

type ScopedGrant = PushGrant & PushScope

/** Returns all push permissions with their scopes, sorted by client. */
export async function listGrants(database: Queryable): Promise<readonly ScopedGrant[]> {
  return await database.query<ScopedGrant>(sql`
    select client, path_pattern as "pathPattern", kinds, entities, station_types, origins, sources,
      may_delete, may_complete, may_publish_closed
    from push_grant order by client, path_pattern`)
}

/** Adds a permission, or sets the scope of an existing one. Returns 0 if nothing changed. */
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

/** Removes a permission. Returns 0 if the client did not have it. */
export async function removeGrant(database: Queryable, grant: PushGrant): Promise<number> {
  return await database.execute(sql`
    delete from push_grant where client = ${grant.client} and path_pattern = ${grant.pathPattern}`)
}

/** Removes all push permissions of a client. Returns how many it had. */
export async function removeGrantsOf(database: Queryable, client: string): Promise<number> {
  return await database.execute(sql`delete from push_grant where client = ${client}`)
}
