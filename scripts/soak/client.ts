import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { judge } from './judge.ts'
import type { Outcome } from './judge.ts'
import type { Node } from './node.ts'
import type { Tally } from './tally.ts'

export type Ask = {
  readonly service: string
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly token?: string
  /** Bytes to read per second. If missing, the response is read as fast as it arrives. */
  readonly bytesPerSecond?: number
}

export type Client = {
  /** Sends a request and notes its outcome in the tally. @returns the outcome */
  readonly send: (ask: Ask) => Promise<Outcome>
  readonly close: () => void
}

/** The part of a hub node that a client needs. */
type Place = Pick<Node, 'url' | 'away'>

/**
 * Milliseconds after which an idle connection is closed. The hub closes idle connections after 72
 * s; a request sent at that moment would be reset, so the client closes first.
 */
const maxIdle = 60_000

/**
 * Sends requests over kept-alive connections to several hubs in turn and judges every response.
 * Like a proxy, it retries on another hub if one that is currently down does not respond.
 */
export function openClient(places: readonly Place[], tally: Tally): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 500, timeout: maxIdle })
  let turn = 0
  const sendOnce = async (ask: Ask): Promise<Outcome> => {
    const first = places[turn++ % places.length]
    const other = places[turn % places.length]
    if (first === undefined || other === undefined) throw new Error('There is no hub')
    let place = first
    const answer = await send(agent, first, ask).catch((error: unknown) => {
      if (first.away === undefined) throw error
      tally.count(ask.service, 'other hub')
      place = other
      return send(agent, other, ask)
    })
    const read = await drain(answer, ask.bytesPerSecond).catch((error: unknown) => {
      if (place.away !== 'at once') throw error
    })
    if (read === undefined) return 'cut by a kill'
    const outcome = judgeAnswer(answer, ask)
    const { service, path } = ask
    if (outcome === 'failed') tally.fail(`${service} ${path}: ${String(answer.statusCode)} ${read}`)
    return outcome
  }
  return {
    send: async (ask) => {
      const began = performance.now()
      const outcome = await sendOnce(ask).catch((error: unknown): Outcome => {
        const passed = (performance.now() - began).toFixed(0)
        const now = new Date().toISOString()
        tally.fail(`${ask.service} ${ask.path}: ${String(error)} after ${passed} ms, ${now}`)
        return 'failed'
      })
      tally.note(ask.service, outcome, performance.now() - began)
      return outcome
    },
    close: () => {
      agent.destroy()
    },
  }
}

/** Maximum time from a request to the end of its response, in milliseconds. */
const longest = 120_000

function send(agent: Agent, { url }: Place, ask: Ask): Promise<IncomingMessage> {
  const { path, method = 'GET', headers = {}, body, token } = ask
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(longest)
    const asked = request(new URL(path, url), {
      ...{ method, agent, signal, headers: { ...headers, ...bearer } },
    })
    asked.on('response', resolve).on('error', (cause) => {
      reject(
        asked.reusedSocket ? new Error(`a kept connection: ${cause.message}`, { cause }) : cause,
      )
    })
    asked.end(body)
  })
}

function judgeAnswer({ statusCode = 0, headers }: IncomingMessage, { token }: Ask): Outcome {
  return judge({
    status: statusCode,
    retryAfter: headers['retry-after'],
    authenticate: headers['www-authenticate'],
    bore: token === undefined ? 'nothing' : 'token',
  })
}

const kept = 300

/**
 * Reads a response to its end. @returns the first characters
 * @throws Error if the response ends before it is complete
 */
async function drain(answer: IncomingMessage, bytesPerSecond: number | undefined): Promise<string> {
  let beginning = ''
  for await (const chunk of answer) {
    if (!Buffer.isBuffer(chunk)) continue
    if (beginning.length < kept) beginning += chunk.toString('utf8', 0, kept)
    if (bytesPerSecond !== undefined) await pause((chunk.length / bytesPerSecond) * 1000)
  }
  if (!answer.complete) throw new Error('the answer was cut')
  return beginning.slice(0, kept)
}
