import { identifier, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import type { BackupTable } from './manifest.ts'

export type Named = Pick<BackupTable, 'schema' | 'name'>

export type Table = Named &
  Pick<BackupTable, 'columns'> & {
    /** Of the main file, without long values. */
    readonly pages: number
    readonly bytes: number
  }

/** What describes the database itself, or the processes that run on it; the hub makes it again. */
const left = ['migration', 'node', 'content_column', 'content_index']

/** All tables with data, those of extensions excepted; of records without the columns that are computed from `data`. */
export async function listTables(database: Queryable): Promise<readonly Table[]> {
  const rows = await database.query<
    Named & { columns: string[]; pages: string; bytes: string }
  >(sql`
    select nullif(nspname, current_schema())::text as schema, relname::text as name,
      array(
        select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
          and not (nspname = 'content' and (relname, attname) in (select entity, name from content_column))
        order by attnum) as columns,
      (pg_relation_size(pg_class.oid) / current_setting('block_size')::integer)::text as pages,
      pg_table_size(pg_class.oid)::text as bytes
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname in (current_schema(), 'content', 'measurement_archive')
      and relname <> all(${left}::text[])
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by nspname, relname`)
  return rows.map(({ pages, bytes, ...table }) => {
    return { ...table, pages: Number(pages), bytes: Number(bytes) }
  })
}

export function tableOf({ schema, name }: Named): Sql {
  return schema === null ? identifier(name) : sql`${identifier(schema)}.${identifier(name)}`
}

export function columnsOf({ columns }: Pick<BackupTable, 'columns'>): Sql {
  return join(columns.map(identifier), ', ')
}
