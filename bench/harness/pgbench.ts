import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from '../../src/sql/index.ts'
import { databaseConnections, seconds as usualSeconds } from './conditions.ts'
import type { Environment } from './environment.ts'
import { readNumber, runProgram } from './run-program.ts'

/** A statement of the hub, and which of its values changes from run to run. */
export type Script = {
  readonly statement: Sql
  /**
   * The `value` in the statement that is replaced by what pgbench's `expression` draws each time.
   */
  readonly drawn: { readonly value: unknown; readonly expression: string }
  /** Duration of the load, for statements so slow that the default would see too few of them. */
  readonly seconds?: number
}

/**
 * Returns how many times per second PostgreSQL runs this statement, prepared and with bound values,
 * on as many connections as the hub has.
 */
export async function pgbench({ postgresql }: Environment, script: Script): Promise<number> {
  const file = join(postgresql.folder, 'pgbench.sql')
  await writeFile(file, scriptText(script))
  const connections = String(databaseConnections)
  const { seconds = usualSeconds } = script
  const load = ['-n', '-M', 'prepared', '-c', connections, '-j', '1', '-T', String(seconds)]
  const values = definitions(script.statement.values)
  const args = [...load, ...values, '-f', file, postgresql.url]
  const output = await runProgram(postgresql.program('pgbench'), args)
  const failed = readNumber(output, /number of failed transactions: (\d+)/)
  if (failed > 0) throw new Error(`pgbench counts failed transactions:\n${output}`)
  return readNumber(output, /tps = ([\d.]+) \(without initial connection time\)/)
}

/** Converts a statement to a script: `$1` becomes `:v1`, which pgbench binds as `$1` again. */
function scriptText({ statement, drawn }: Script): string {
  const places = statement.values.flatMap((value, index) =>
    value === drawn.value ? `v${String(index + 1)}` : [],
  )
  const [first, ...others] = places
  if (first === undefined)
    throw new Error(`The statement binds no ${String(drawn.value)}:\n${statement.text}`)
  const text = statement.text.trim().replaceAll(/\$(\d+)/g, ':v$1')
  const same = others.map((place) => `\\set ${place} :${first}\n`)
  return `\\set ${first} ${drawn.expression}\n${same.join('')}${text};\n`
}

function definitions(values: readonly unknown[]): readonly string[] {
  return values.flatMap((value, index) => ['-D', `v${String(index + 1)}=${asText(value)}`])
}

/** Formats a value as the driver sends it. */
function asText(value: unknown): string {
  return Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(item)).join(',')}}`
    : String(value)
}
