import { join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** Which writes are meant; what is left out is not asked. */
export type AuditFilter = {
  /** Name of the entity, such as `Event`; of access User, Client, PushPermission or AccessRule. */
  readonly dataset?: string | undefined
  readonly id?: string | undefined
  /** Subject or name of who wrote. */
  readonly by?: string | undefined
  /** Written at this time or later. */
  readonly from?: Date | undefined
  /** Written before this time. */
  readonly to?: Date | undefined
}

/** One write over HTTP, or change of access by command: who, what, when, by which request. */
export type AuditEntry = {
  readonly time: Date
  readonly operation: string
  readonly dataset: string
  readonly id: string
  readonly name: string
  readonly client: string
  readonly subject: string
  readonly request: string
  /** What a change of access changed: before and after, by member, as JSON; null for records. */
  readonly detail: string | null
}

/** The newest entries first. */
export function listAudit(
  database: Queryable,
  filter: AuditFilter,
  limit: number,
): Promise<readonly AuditEntry[]> {
  return database.query<AuditEntry>(sql`
    select time, operation, dataset, id, name, client, subject, request, detail
    from audit where ${conditionOf(filter)}
    order by sequence desc limit ${limit}`)
}

function conditionOf({ dataset, id, by, from, to }: AuditFilter): Sql {
  const conditions = [
    sql`true`,
    ...(dataset === undefined ? [] : [sql`dataset = ${dataset}`]),
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(by === undefined ? [] : [sql`${by} in (subject, name)`]),
    ...(from === undefined ? [] : [sql`time >= ${from}`]),
    ...(to === undefined ? [] : [sql`time < ${to}`]),
  ]
  return join(conditions, ' and ')
}
