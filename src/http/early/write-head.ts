import { validateHeaderValue } from 'node:http'
import { crossOriginHeaders } from '../cross-origin.ts'
import { securityHeaders } from '../security-headers.ts'
import type { EarlyAnswer } from './early-answer.ts'
import type { Persistence } from './early-connection.ts'

const reasons = { 200: 'OK', 304: 'Not Modified' } as const

/** What is new with every answer. */
export type Occasion = {
  readonly requestId: string
  readonly now: Date
  readonly persistence: Persistence
}

/** All but the last line, which serves for a second. */
type Written = { readonly second: number; readonly persistence: Persistence; readonly text: string }

/**
 * Makes what writes the head of answers (RFC 9112 section 4): status line and all headers that the
 * framework would send.
 * @param patience milliseconds that callers are told the connection stays open for
 */
export function headWriter(patience: number): (answer: EarlyAnswer, occasion: Occasion) => string {
  const known = new WeakMap<EarlyAnswer, Written>()
  const ends = {
    'keep-alive': `Connection: keep-alive\r\nKeep-Alive: timeout=${String(Math.floor(patience / 1000))}`,
    close: 'Connection: close',
  }
  const write = (answer: EarlyAnswer, now: Date, persistence: Persistence): Written => {
    // Joined, not added: a text that is added to remains in pieces, and is put together at each answer.
    const text = [...linesOf(answer), `Date: ${now.toUTCString()}`, ends[persistence]].join('\r\n')
    return { second: Math.floor(now.getTime() / 1000), persistence, text }
  }
  return (answer, { requestId, now, persistence }) => {
    let written = known.get(answer)
    const isOld = written?.second !== Math.floor(now.getTime() / 1000)
    if (written === undefined || isOld || written.persistence !== persistence) {
      written = write(answer, now, persistence)
      known.set(answer, written)
    }
    return `${written.text}\r\nx-request-id: ${requestId}\r\n\r\n`
  }
}

function linesOf({ status, headers, body }: EarlyAnswer): readonly string[] {
  const length = body === undefined ? {} : { 'content-length': String(body.length) }
  const all = Object.entries({ ...securityHeaders, ...crossOriginHeaders, ...headers, ...length })
  for (const [name, value] of all) validateHeaderValue(name, value)
  const lines = all.map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${String(status)} ${reasons[status]}`, ...lines]
}
