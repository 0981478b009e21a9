import { fileURLToPath } from 'node:url'
import { httpConnections, seconds } from './conditions.ts'
import { readNumber, runProgram } from './run-program.ts'

/** Bodies to send to the hub, as `send.lua` explains. */
export type Sending = {
  readonly url: string
  readonly method: 'POST' | 'PUT'
  readonly path: string
  /** Path of the file that contains the body. */
  readonly body: string
  readonly token: string
  /** Lowest and highest number to append to the path. If missing, the path is used unchanged. */
  readonly numbers?: readonly number[]
}

/** Sends the requests with one thread of wrk. @throws Error if any of them does not succeed */
export async function send({ url, method, path, body, token, numbers = [] }: Sending) {
  const script = fileURLToPath(new URL('send.lua', import.meta.url))
  const load = ['-t', '1', '-c', String(httpConnections), '-d', String(seconds)]
  const sent = [method, path, body, token, ...numbers.map(String)]
  const args = [...load, '--timeout', '60s', '-s', script, url, '--', ...sent]
  const output = await runProgram('wrk', args)
  if (readNumber(output, /failed (\d+)/) > 0) throw new Error(`Requests failed:\n${output}`)
  const answers = readNumber(output, /answers (\d+)/)
  return { answers, perSecond: answers / (readNumber(output, /microseconds (\d+)/) / 1e6) }
}
