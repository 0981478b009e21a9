import { spawnSync } from 'node:child_process'
import { autocannon } from './autocannon.ts'
import type { Requests } from './load.ts'
import { wrk } from './wrk.ts'

/**
 * The load generator: wrk, which leaves most of the processors to the hub, or otherwise autocannon,
 * which comes with npm.
 */
export const loadGenerator = spawnSync('wrk', ['-v']).error === undefined ? 'wrk' : 'autocannon'

/**
 * Loads the hub from a separate process, without compression.
 * @returns responses per second
 * @throws Error if a response was not 200 (304 if an entity tag is sent), or if the responses
 * differ in size from those requested beforehand
 */
export async function httpLoad(requests: Requests): Promise<number> {
  const expected = await expectedBytes(requests)
  const load = await (loadGenerator === 'wrk' ? wrk(requests) : autocannon(requests))
  if (load.answersPerSecond === 0) throw new Error('There was no answer while the load lasted.')
  if (load.failed > 0) throw new Error(`${load.failed} answers under load were errors.`)
  if (load.bytesPerAnswer < 0.8 * expected || load.bytesPerAnswer > 1.2 * expected) {
    throw new Error(`Answers under load have ${load.bytesPerAnswer} bytes, not about ${expected}.`)
  }
  return load.answersPerSecond
}

const samples = 20

/** Returns the mean size of the responses, including some bytes for their headers. */
async function expectedBytes(requests: Requests): Promise<number> {
  const { url, path, low, high, suffix = '', etag, tokens = [] } = requests
  const [token] = tokens
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const condition = etag === undefined ? {} : { 'if-none-match': etag }
  const headers = { ...bearer, ...condition, 'accept-encoding': 'identity' }
  const status = etag === undefined ? 200 : 304
  const step = (high - low) / (samples - 1)
  let bytes = 0
  for (let number = 0; number < samples; number++) {
    const address = `${url}${path}${String(Math.round(low + number * step))}${suffix}`
    const response = await fetch(address, { headers })
    const body = await response.arrayBuffer()
    if (response.status !== status) throw new Error(`${address} answers ${response.status}.`)
    bytes += body.byteLength + JSON.stringify([...response.headers]).length
  }
  return bytes / samples
}
