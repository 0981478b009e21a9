import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'

export type DataTypeWords = { readonly unit: string | null; readonly description: string | null }

/** What data types are measured in and what they mean, by name; they are listed to everybody (D60). */
export async function loadDataTypeWords(
  database: Queryable,
  names: readonly string[],
): Promise<ReadonlyMap<string, DataTypeWords>> {
  const rows = await database.texts(sql`
    select name, unit, description from data_type where name = any(${[...names]}::text[])`)
  return new Map(
    rows.map(([name, unit = null, description = null]) => [name ?? '', { unit, description }]),
  )
}
