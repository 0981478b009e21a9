import type { Postgresql } from './postgresql.ts'
import { readNumber, runProgram } from './run-program.ts'

/**
 * Returns how many seconds psql needs to run a query as `COPY … TO STDOUT` and discard the rows.
 */
export async function secondsToCopy(
  { url, program }: Postgresql,
  query: string,
  format: 'text' | 'binary' = 'text',
): Promise<number> {
  const bare = query.replaceAll(/\s+/g, ' ').trim()
  const copy = `\\copy (${bare}) to '/dev/null' with (format ${format})`
  const args = ['-X', '-v', 'ON_ERROR_STOP=1', '-c', 'set timezone = UTC', '-c', '\\timing on']
  const output = await runProgram(program('psql'), [...args, '-c', copy, url])
  return readNumber(output, /Time: ([\d.]+) ms/) / 1000
}
