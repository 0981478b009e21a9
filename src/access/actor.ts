import { sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'

/** Who changes access, as recorded in the audit log. A command has only a name. */
export type Actor = {
  readonly name: string
  /** The claim `sub` of the token; `client` is the client that got it. */
  readonly subject?: string
  readonly client?: string
  readonly request?: string
}

/**
 * Changes access in one transaction; database triggers record each change in the audit log
 * (migrations/*-access-changes.sql). Such transactions are serialized, so that what a change relies
 * on, such as the existence of another ADMIN, still holds when it commits.
 */
export function changeAs<Result>(
  database: Database,
  { name, subject = '', client = '', request = '' }: Actor,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await tx.query(sql`
      select set_config('hub.actor', ${name}, true), set_config('hub.subject', ${subject}, true),
        set_config('hub.client', ${client}, true), set_config('hub.request', ${request}, true)`)
    await tx.execute(sql`lock table identity_user in share row exclusive mode`)
    return await work(tx)
  })
}

type Noted = {
  readonly operation: 'Create' | 'Delete'
  readonly dataset: string
  readonly id: string
}

/** Records a change in the audit log that touches no table with a trigger. */
export async function noteChange(
  tx: Transaction,
  { operation, dataset, id }: Noted,
): Promise<void> {
  await tx.query(sql`select note_access_change(${operation}, ${dataset}, ${id}, null)`)
}
