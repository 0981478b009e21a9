import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { httpConnections, seconds as usualSeconds } from './conditions.ts'
import type { Load, Requests } from './load.ts'
import { runProgram } from './run-program.ts'

const report = Type.Object({
  '2xx': Type.Integer(),
  '3xx': Type.Integer(),
  non2xx: Type.Integer(),
  errors: Type.Integer(),
  timeouts: Type.Integer(),
  duration: Type.Number(),
  throughput: Type.Object({ total: Type.Number() }),
})

const differentRequests = 1000

/**
 * Loads the hub with autocannon if wrk is not installed. It is slower, and the processor time that
 * it takes from the hub counts against the hub.
 */
export async function autocannon(requests: Requests): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-bench-requests-'))
  const file = join(folder, 'requests.har')
  try {
    await writeFile(file, JSON.stringify(archive(requests)))
    const program = fileURLToPath(import.meta.resolve('autocannon'))
    const { connections = httpConnections, seconds = usualSeconds } = requests
    const load = ['-c', String(connections), '-d', String(seconds), '--timeout', '60']
    const args = [program, ...load, '--har', file, '--json', '--no-progress', requests.url]
    const seen = Parse(report, JSON.parse(await runProgram(process.execPath, args)))
    // autocannon counts 304 as a failure.
    const answers = requests.etag === undefined ? seen['2xx'] : seen['3xx']
    const others = seen['2xx'] + seen.non2xx - answers
    return {
      answersPerSecond: answers / seen.duration,
      bytesPerAnswer: seen.throughput.total / answers,
      failed: others + seen.errors + seen.timeouts,
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Writes the requests as an HTTP archive, the only way to pass several requests to autocannon's
 * command line.
 */
function archive({ url, path, low, high, suffix = '', etag, tokens = [] }: Requests): unknown {
  const entries = Array.from({ length: differentRequests }, (_, index) => {
    const number = low + Math.floor(Math.random() * (high - low + 1))
    const token = tokens[index % tokens.length]
    const headers = [
      ...(token === undefined ? [] : [{ name: 'authorization', value: `Bearer ${token}` }]),
      ...(etag === undefined ? [] : [{ name: 'if-none-match', value: etag }]),
    ]
    const address = `${url}${path}${String(number)}${suffix}`
    return { request: { method: 'GET', url: address, headers } }
  })
  return { log: { version: '1.2', creator: { name: 'hub', version: '1' }, entries } }
}
