import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** The operator who retires or attaches months, as recorded in the audit log. */
export type Operator = {
  readonly subject: string
  readonly name: string
  readonly client: string
  /** A UUID. */
  readonly request: string
}

type Note = {
  readonly by: Operator
  readonly operation: 'Create' | 'Delete'
  readonly tables: readonly string[]
  /** `attach`, or the kind of retirement. */
  readonly how: string
}

/** Records in the audit log what an operator does with months. */
export async function noteMonths(
  database: Queryable,
  { by, operation, tables, how }: Note,
): Promise<void> {
  await database.execute(sql`
    insert into audit (time, subject, name, client, operation, dataset, id, request, detail)
    select now(), ${by.subject}, ${by.name}, ${by.client}, ${operation}, 'Partition', id,
      ${by.request}::uuid, jsonb_build_object('how', jsonb_build_array(null, ${how}::text))
    from unnest(${[...tables]}::text[]) as ids (id)`)
}
