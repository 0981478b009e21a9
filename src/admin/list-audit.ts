import { all, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'

/** Filter of the audit log. A missing criterion matches every entry. */
export type AuditFilter = {
  /**
   * The entity, such as `Event`; for a change of access User, Client, PushPermission, AccessRule or
   * Session.
   */
  readonly dataset?: string | undefined
  readonly id?: string | undefined
  /** Subject, name or client of the writer. */
  readonly by?: string | undefined
  /** Written at this time or later. */
  readonly from?: Date | undefined
  /** Written before this time. */
  readonly to?: Date | undefined
  /** Only entries before the one with this number. */
  readonly before?: string | undefined
}

/** One write over HTTP, or one change of access by command: who, what, when, in which request. */
type AuditEntry = {
  readonly sequence: string
  readonly time: Date
  readonly operation: string
  readonly dataset: string
  readonly id: string
  readonly name: string
  readonly client: string
  readonly subject: string
  readonly request: string
  /**
   * The changed fields of a change of access, each with the value before and after, as JSON; null
   * for records.
   */
  readonly detail: string | null
}

/** Returns the matching entries, newest first. */
export function listAudit(
  database: Queryable,
  filter: AuditFilter,
  limit: number,
): Promise<readonly AuditEntry[]> {
  return database.query<AuditEntry>(sql`
    select sequence::text as sequence, time, operation, dataset, id, name, client, subject, request, detail
    from audit where ${conditionOf(filter)}
    order by audit.sequence desc limit ${limit}`)
}

function conditionOf({ dataset, id, by, from, to, before }: AuditFilter): Sql {
  const conditions = [
    ...(dataset === undefined ? [] : [sql`dataset = ${dataset}`]),
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(by === undefined ? [] : [sql`${by} in (subject, name, client)`]),
    ...(from === undefined ? [] : [sql`time >= ${from}`]),
    ...(before === undefined ? [] : [sql`sequence < ${before}::bigint`]),
    ...(to === undefined ? [] : [sql`time < ${to}`]),
  ]
  return all(conditions)
}
