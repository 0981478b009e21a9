import { join } from 'node:path'
import type { Postgresql } from './postgresql.ts'
import { readNumber, runProgram } from './run-program.ts'

/** The rows of a table in a file in the format of COPY. */
export type Copied = { readonly table: string; readonly file: string }

export async function copyOut(
  { url, program, folder }: Postgresql,
  table: string,
): Promise<Copied> {
  const file = join(folder, `${table}.copy`)
  await runProgram(program('psql'), [
    '-X',
    url,
    '-c',
    `\\copy (select * from ${table}) to '${file}'`,
  ])
  return { table, file }
}

/** Writes the rows with one COPY and returns its duration in milliseconds. */
export async function copyIn(
  { url, program }: Postgresql,
  { table, file }: Copied,
): Promise<number> {
  const commands = ['\\timing on', `\\copy ${table} from '${file}'`]
  const args = [
    '-X',
    '-v',
    'ON_ERROR_STOP=1',
    url,
    ...commands.flatMap((command) => ['-c', command]),
  ]
  return readNumber(await runProgram(program('psql'), args), /Time: ([\d.]+) ms/)
}
