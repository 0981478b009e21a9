import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { httpConnections, seconds as usualSeconds } from './conditions.ts'
import type { Load, Requests } from './load.ts'
import { readNumber, runProgram } from './run-program.ts'

/**
 * Timeout in seconds. By default wrk counts a response as failed after two, which a busy machine
 * may need.
 */
const longestAnswer = 60

/** Loads the hub with one thread of wrk. */
export async function wrk({
  url,
  path,
  low,
  high,
  suffix = '',
  etag = '',
  tokens = [],
  seconds = usualSeconds,
  connections = httpConnections,
}: Requests): Promise<Load> {
  const script = fileURLToPath(new URL('wrk.lua', import.meta.url))
  const length = ['-d', `${String(seconds)}s`, '--timeout', `${String(longestAnswer)}s`]
  const load = ['-t', '1', '-c', String(connections), ...length]
  const folder = await mkdtemp(join(tmpdir(), 'hub-bench-tokens-'))
  try {
    const file = join(folder, 'tokens')
    await writeFile(file, tokens.map((token) => `${token}\n`).join(''))
    const drawn = [path, String(low), String(high), file, suffix, etag]
    return toLoad(await runProgram('wrk', [...load, '-s', script, url, '--', ...drawn]))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function toLoad(output: string): Load {
  const answers = readNumber(output, /answers (\d+)/)
  return {
    answersPerSecond: answers / (readNumber(output, /microseconds (\d+)/) / 1e6),
    bytesPerAnswer: readNumber(output, /bytes (\d+)/) / answers,
    failed: readNumber(output, /failed (\d+)/),
  }
}
