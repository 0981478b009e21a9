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

/** The rules of access and the grants to push: in the database, in memory, and what they decide. */

export type Area = 'content' | 'timeseries' | 'event'

/** Opens the closed data it describes to the bearers of a role; null means any (decision D60). */
export type AccessRule = {
  /** `GUEST`, or the name in a token without its prefix `BDP_`. */
  readonly role: string
  readonly area: Area | null
  readonly origin: string | null
  /** Entity type, station type or event category. */
  readonly type: string | null
  readonly dataType: string | null
  /** Seconds. */
  readonly period: number | null
}

/** Lets a client push to the paths that match, or a person (`personHolder`). */
export type PushGrant = { readonly client: string; readonly pathPattern: string }

/** What of the closed data a principal sees. Open data is always visible. */
export type Visibility =
  | { readonly kind: 'everything' }
  | { readonly kind: 'rules'; readonly rules: readonly AccessRule[] }

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
      // Also a turn in which the one before still waits for the database counts.
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

/** The number of the last change, to see cheaply whether there was one. */
async function loadVersion(database: Queryable): Promise<string> {
  const [row] = await database.query<{ version: string }>(
    sql`select version::text as version from access_version`,
  )
  return row?.version ?? ''
}

/** Rules and grants, together with the version they belong to: one statement is one snapshot. */
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

/** Role that may push everywhere when the hub itself decides. */
const ADMIN = 'ADMIN'

/** Decides by the grants of the hub, as they are at the moment of asking, and those that never change. */
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
 * Whether a path lies under a pattern: `/a/b` is that path, `/a/*` all below `/a`, `/*` all.
 * A star counts only as the whole last segment.
 */
export function matchesPath(pattern: string, path: string): boolean {
  if (!pattern.endsWith('/*')) return pattern === path
  const folder = pattern.slice(0, -1)
  return path.startsWith(folder) && path.length > folder.length
}

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

const names = Type.Union([Type.Null(), Type.Array(Type.String())])

/** What a push permission covers (decision D67), as the table `push_grant` has it. */
const pushScope = Type.Object({
  /** Of canonical objects; null: any. */
  kinds: names,
  /** Of content; null: any. */
  entities: names,
  /** Of stations and edges; null: any. */
  station_types: names,
  /** Null: those of the stream's own provider, and those that nobody else uses. */
  origins: names,
  sources: names,
  /** Whether it may delete what others wrote under these sources. */
  may_delete: Type.Boolean(),
  /** Whether a complete list makes the stations of others under these origins inactive, too. */
  may_complete: Type.Boolean(),
  /** Whether it may open what is closed. */
  may_publish_closed: Type.Boolean(),
})

export type PushScope = Readonly<Static<typeof pushScope>>

/** A permission without a scope: what the stream itself wrote. */
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

/** Reads what `push_scope` of the database returns; a sender without a permission there has no scope. */
export function parsePushScope(json: string | null): PushScope {
  return json === null ? ownOnly : Parse(pushScope, JSON.parse(json))
}

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
