import { Query } from 'pg'
import type { ClientBase } from 'pg'
import type { Sql } from '../sql/index.ts'
import { run } from './run-query.ts'
import type { Done } from './run-query.ts'

/** Sends rows when the server requests them. */
class CopyInQuery extends Query {
  readonly #rows: string | Buffer

  constructor(statement: Sql, rows: string | Buffer, done: Done) {
    super(statement.text, done)
    this.#rows = rows
  }

  handleCopyInResponse(connection: CopyTarget): void {
    connection.sendCopyFromChunk(Buffer.from(this.#rows))
    connection.endCopyFrom()
  }
}

/** What a connection of the driver has, and its types do not say. */
type CopyTarget = {
  readonly sendCopyFromChunk: (bytes: Uint8Array) => void
  readonly endCopyFrom: () => void
}

/** Runs `copy … from stdin` with these rows. */
export async function copyIn(
  client: ClientBase,
  statement: Sql,
  rows: string | Buffer,
): Promise<void> {
  await run(client, (done) => new CopyInQuery(statement, rows, done))
}

/** Gathers rows as the server sends them. */
class CopyOutQuery extends Query {
  readonly rows: Buffer[] = []

  constructor(statement: Sql, done: Done) {
    super(statement.text, done)
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // The driver uses its buffer again.
    this.rows.push(Buffer.from(chunk))
  }
}

/** Runs `copy … to stdout`. */
export async function copyOut(client: ClientBase, statement: Sql): Promise<Buffer> {
  const { rows } = await run(client, (done) => new CopyOutQuery(statement, done))
  return Buffer.concat(rows)
}
