import type { StatementShape } from '../observe/index.ts'
import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'

const most = 20

type Row = { readonly text: string; readonly calls: string; seconds: number; longest: number }

/**
 * The statements that take the most time in all, from PostgreSQL where it counts them: those of all nodes. Only
 * statements whose values PostgreSQL replaces are read, and only those of the hub's own role.
 * @param measured what this process has measured, for where it does not
 */
export async function loadStatements(
  database: Queryable,
  measured: (most: number) => readonly StatementShape[],
) {
  const own = { source: 'hub', shapes: measured(most) } as const
  const [extension] = await database.query<{ schema: string }>(sql`
    select extnamespace::regnamespace::text as schema from pg_extension
    where extname = 'pg_stat_statements'
      and 'pg_stat_statements' = any(
        string_to_array(replace(current_setting('shared_preload_libraries', true), ' ', ''), ','))`)
  if (extension === undefined) return own
  const rows = await database.query<Row>(sql`
    select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::text as calls,
      total_exec_time / 1000 as seconds, max_exec_time / 1000 as longest
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and userid = current_user::regrole and query ~* '^\\s*(select|insert|update|delete|merge|with)'
    order by total_exec_time desc limit ${most}`)
  const shapes = rows.map(({ calls, ...row }) => ({ ...row, calls: Number(calls) }))
  return { source: 'pg_stat_statements', shapes } as const
}
