import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program and returns its output. @throws Error if it is not installed or fails */
export async function runProgram(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await execute(program, args, { maxBuffer: 64 * 1024 * 1024 })).stdout
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw isMissing ? notInstalled(program) : error
  }
}

export function notInstalled(program: string): Error {
  return new Error(
    `This bench needs ${program}: install it, for instance with apt-get install ${program}.`,
  )
}

/** Extracts a number from a program's output. */
export function readNumber(output: string, pattern: RegExp): number {
  const number = Number(pattern.exec(output)?.[1] ?? Number.NaN)
  if (!Number.isNaN(number)) return number
  throw new Error(`No ${String(pattern)} in this output:\n${output}`)
}
