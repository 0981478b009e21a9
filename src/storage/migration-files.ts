import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export type MigrationFile = {
  /** 1 for the first; the numbers have no gaps. */
  readonly number: number
  /** The name of the file: `0001-change.sql`. */
  readonly name: string
  /** One or several statements. */
  readonly text: string
  readonly sha256: string
}

const pattern = /^(\d{4})-[a-z0-9-]+\.sql$/

/**
 * Reads `NNNN-name.sql` from a folder, in order; other files in it are ignored.
 * @throws Error when a number is missing or given twice, or a name of a .sql file has another form
 */
export async function readMigrationFiles(directory: string): Promise<readonly MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  names.forEach((name, index) => {
    checkName(name, index + 1)
  })
  return Promise.all(names.map((name) => readMigrationFile(directory, name)))
}

function checkName(name: string, expected: number): void {
  const number = pattern.exec(name)?.[1]
  if (number === undefined) {
    throw new Error(`The migration ${name} must be named like 0001-what-it-does.sql`)
  }
  if (Number(number) === expected) return
  const wanted = String(expected).padStart(4, '0')
  throw new Error(
    Number(number) < expected
      ? `Two migrations have the number ${number}. Give the younger one the next free number.`
      : `The migration ${wanted} is missing: ${name} follows right after the one before it. ` +
          `Restore the file ${wanted}-….sql, or, if ${name} was never applied anywhere, renumber it.`,
  )
}

async function readMigrationFile(directory: string, name: string): Promise<MigrationFile> {
  const text = await readFile(join(directory, name), 'utf8')
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { number: Number(name.slice(0, 4)), name, text, sha256 }
}
