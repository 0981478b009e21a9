import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { fieldsOf, objectsOf, parseObject, textOf } from '../src/lang/json.ts'
import type { Members } from '../src/lang/json.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import type { Bench } from './harness/bench.ts'
import { comparison } from './harness/bench.ts'
import { httpConnections, seconds } from './harness/conditions.ts'
import type { Environment } from './harness/environment.ts'
import { runProgram } from './harness/run-program.ts'

const dataset = 'content/Accommodation'
const fields = ['Shortname', 'AccoTypeId', 'AccoDetail.en.Name']

/** Typical tool calls of assistants. */
const calls = [
  { name: 'search_datasets', given: { query: 'hotels' } },
  { name: 'query_records', given: { dataset, fields, match: { AccoTypeId: 'Farm' } } },
  { name: 'find_nearest', given: { dataset, fields, latitude: 46.6, longitude: 11.4 } },
  { name: 'group_and_count', given: { dataset, groupBy: ['AccoTypeId'] } },
] as const

type Call = (typeof calls)[number]

const messageOf = ({ name, given }: Call) =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name, arguments: given },
  })

/** Sends one call. @returns the size of the response, and the result */
async function send({ hub }: Environment, call: Call) {
  const response = await fetch(`${hub.url}/mcp`, {
    ...{ method: 'POST', body: messageOf(call), headers: { 'content-type': 'application/json' } },
  })
  const body = await response.text()
  const { content, isError } = fieldsOf(parseObject(body)['result'])
  const text = textOf(objectsOf(content)[0]?.['text']) ?? '{}'
  return { bytes: Buffer.byteLength(body), isError, result: parseObject(text) }
}

/** Repeats a call until it finds the records; the catalogue includes them within half a minute. */
async function resultOf(environment: Environment, call: Call) {
  for (let tries = 0; tries < 90; tries++) {
    const { isError, result, bytes } = await send(environment, call)
    if (isError !== true && result['total'] !== 0) return { result, bytes }
    await pause(1000)
  }
  throw new Error(`${call.name} does not find the records.`)
}

/**
 * Returns the request of the public API that a result refers to, as a URL of the hub under test.
 */
function requestOf(environment: Environment, result: Members): string {
  const { pathname, search } = new URL(String(result['request']))
  return `${environment.hub.url}${pathname}${search}`
}

const report = Type.Object({
  '2xx': Type.Integer(),
  non2xx: Type.Integer(),
  errors: Type.Integer(),
  duration: Type.Number(),
})

/** Returns the responses per second when one request is repeated. */
async function load(address: string, more: readonly string[] = []): Promise<number> {
  const program = fileURLToPath(import.meta.resolve('autocannon'))
  const options = ['-c', String(httpConnections), '-d', String(seconds), '--timeout', '60']
  const args = [program, ...options, '--json', '--no-progress', ...more, address]
  const seen = Parse(report, JSON.parse(await runProgram(process.execPath, args)))
  if (seen.non2xx + seen.errors > 0) throw new Error(`${address} failed under load.`)
  return seen['2xx'] / seen.duration
}

function benchOf(call: Call): Bench {
  let sizes = ''
  const { name, run } = comparison({
    name: `mcp-${call.name}`,
    title: `Tool ${call.name} ÷ the request that its result names`,
    unit: 'answers/s',
    prepare: async (environment) => {
      await loadAccommodations(environment)
      const { result, bytes } = await resultOf(environment, call)
      const plain = requestOf(environment, result)
      const answer = await (await fetch(plain)).arrayBuffer()
      sizes = `${String(bytes)} of ${String(answer.byteLength)} bytes`
      return { address: `${environment.hub.url}/mcp`, plain }
    },
    ours: ({ address }) => {
      const header = ['-H', 'content-type=application/json']
      return load(address, ['-m', 'POST', ...header, '-b', messageOf(call)])
    },
    limit: ({ plain }) => load(plain),
  })
  return {
    name,
    run: async (environment) => {
      const result = await run(environment)
      return { ...result, detail: `${result.detail}; ${sizes}` }
    },
  }
}

/**
 * The cost of the protocol for assistants: tool calls compared with the equivalent plain HTTP
 * requests.
 */
export const mcp: readonly Bench[] = calls.map(benchOf)
