import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program beside this process and returns what it printed. */
export async function runProgram(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(program, args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

/** The number that a program's output names. */
export function readNumber(output: string, pattern: RegExp): number {
  const number = Number(pattern.exec(output)?.[1] ?? Number.NaN)
  if (!Number.isNaN(number)) return number
  throw new Error(`No ${String(pattern)} in this output:\n${output}`)
}
