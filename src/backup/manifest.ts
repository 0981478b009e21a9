import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Check } from 'typebox/value'

export const manifestName = 'manifest.json'

const month = Type.Object({
  name: Type.String(),
  month: Type.Union([Type.String(), Type.Null()]),
  state: Type.Enum(['attached', 'cold', 'detaching', 'detached', 'moved']),
  rows: Type.Union([Type.Integer(), Type.Null()]),
  bytes: Type.Integer(),
})

const table = Type.Object({
  /** Null for the schema of the hub itself. */
  schema: Type.Union([Type.Literal('content'), Type.Literal('measurement_archive'), Type.Null()]),
  name: Type.String(),
  columns: Type.Array(Type.String()),
  /** Rows in the text format of COPY, compressed with gzip. */
  file: Type.String({ pattern: '^[\\w.-]+$' }),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
})
export type BackupTable = Static<typeof table>

/** Contents of a backup. The manifest is written last, so a backup without it is incomplete. */
const manifest = Type.Object({
  format: Type.Literal(1),
  version: Type.String(),
  created: Type.String(),
  engine: Type.Enum(['postgresql', 'embedded']),
  migrations: Type.Array(
    Type.Object({ number: Type.Integer(), name: Type.String(), sha256: Type.String() }),
  ),
  tables: Type.Array(table),
  sequences: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  months: Type.Array(month),
  span: Type.Object({ first: Type.String(), end: Type.String() }),
})
export type Manifest = Static<typeof manifest>

/** A backup whose files are in a folder. */
export type Backup = { readonly folder: string; readonly manifest: Manifest }

/** @throws Error if the text is not a manifest that this version can read */
export function parseManifest(text: string): Manifest {
  const found: unknown = JSON.parse(text)
  if (Check(manifest, found)) return found
  throw new Error(`${manifestName} has a form that this version of the hub cannot read.`)
}

/**
 * Reads the backup in a folder, and verifies that its files are unchanged.
 * @throws Error if the backup is incomplete or was changed
 */
export async function readBackup(folder: string): Promise<Backup> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch((cause: unknown) => {
    throw new Error(`There is no complete backup: ${manifestName} is missing.`, { cause })
  })
  const found = parseManifest(text)
  for (const { file, sha256 } of found.tables) {
    const hash = createHash('sha256')
    const pieces: AsyncIterable<Buffer> = createReadStream(join(folder, file))
    for await (const piece of pieces) hash.update(piece)
    if (hash.digest('hex') === sha256) continue
    throw new Error(`The file ${file} was changed after the backup was made. Use another backup.`)
  }
  return { folder, manifest: found }
}
