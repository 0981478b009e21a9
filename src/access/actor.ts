import { sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'

/** Who changes access, as the audit log names them. A command has a name only. */
export type Actor = {
  readonly name: string
  /** `sub` and client of the token. */
  readonly subject?: string
  readonly client?: string
  readonly request?: string
}

/**
 * Makes changes of access in one transaction; triggers of the database note each in the audit log
 * (migrations/*-access-changes.sql). One transaction after the other changes accounts: what a change relies on, such as another
 * ADMIN, is still there when it is done.
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

/** Notes what changes no table that the triggers watch. */
export async function noteChange(
  tx: Transaction,
  { operation, dataset, id }: Noted,
): Promise<void> {
  await tx.query(sql`select note_access_change(${operation}, ${dataset}, ${id}, null)`)
}
