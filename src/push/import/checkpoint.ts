import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'

/** How far an import of a file came. */
export type Checkpoint = {
  /** Of the file that was read; another one by the same name begins anew. */
  readonly size: number
  readonly modified: number
  /** Lines that are done. */
  readonly lines: number
  readonly stored: number
  readonly rejected: number
}

/** A file and the stream it is read into. */
export type Place = { readonly file: string; readonly stream: string }

const count = Type.Integer({ minimum: 0 })
const checkpoint = Compile(
  Type.Object({
    size: count,
    modified: Type.Number(),
    lines: count,
    stored: count,
    rejected: count,
  }),
)

/** What an earlier import of the file left behind, when it did not come to the end. */
export async function loadCheckpoint(
  database: Queryable,
  place: Place,
): Promise<Checkpoint | undefined> {
  const [row] = await database.query<{ readonly value: string }>(
    sql`select value from deployment where name = ${nameOf(place)}`,
  )
  const value: unknown = row === undefined ? undefined : JSON.parse(row.value)
  return checkpoint.Check(value) ? value : undefined
}

/** Kept in the transaction of what is stored: so a line is never counted twice, and none passed over. */
export async function keepCheckpoint(
  database: Queryable,
  place: Place,
  reached: Checkpoint,
): Promise<void> {
  await database.execute(sql`
    insert into deployment (name, value) values (${nameOf(place)}, ${JSON.stringify(reached)})
    on conflict (name) do update set value = excluded.value`)
}

export async function forgetCheckpoint(database: Queryable, place: Place): Promise<void> {
  await database.execute(sql`delete from deployment where name = ${nameOf(place)}`)
}

function nameOf({ file, stream }: Place): string {
  return `import of ${file} into ${stream}`
}
