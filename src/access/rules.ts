import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'

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

/** Lets a client push to the paths that match. */
export type PushGrant = { readonly client: string; readonly pathPattern: string }

/** All that decides about access, as of one version. */
export type AccessData = {
  readonly version: string
  readonly rules: readonly AccessRule[]
  readonly grants: readonly PushGrant[]
}

/** The number of the last change, to see cheaply whether there was one. */
export async function loadVersion(database: Queryable): Promise<string> {
  const [row] = await database.query<{ version: string }>(
    sql`select version::text as version from access_version`,
  )
  return row?.version ?? ''
}

/** Rules and grants, together with the version they belong to: one statement is one snapshot. */
export async function loadAccessData(database: Queryable): Promise<AccessData> {
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
