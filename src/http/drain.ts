import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** What is read of a body after its answer: bytes, and milliseconds in all and without any. */
const usual = { bytes: 67_108_864, time: 10_000, silence: 2_000 }

/** So often it is looked at what has come, in milliseconds. */
const interval = 250

/**
 * Reads on, within limits, what a client still sends after it was answered, before its connection is closed. Many send
 * all of a body before they read: closed at once, they would meet a broken pipe instead of the answer (RFC 9112
 * section 9.6).
 */
export function drainBodies(app: FastifyInstance, most = usual): void {
  const latest = new WeakMap<Socket, IncomingMessage>()
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (hasBody(raw)) {
      if (!latest.has(raw.socket)) closeAfterBody(raw.socket, latest)
      latest.set(raw.socket, raw)
    }
    done()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    // Without an end to it the next request of the connection would never be read.
    if (hasBody(raw) && !raw.complete) drain(raw, most, () => raw.socket.destroy())
    done()
  })
}

/** Requests that are injected have no connection. */
const hasBody = ({ headers, socket }: IncomingMessage): boolean =>
  socket instanceof Socket &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** Node closes a connection by this method once its last answer is written. */
function closeAfterBody(socket: Socket, latest: WeakMap<Socket, IncomingMessage>): void {
  const close = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    const request = latest.get(socket)
    if (request === undefined || request.complete || socket.destroyed) close()
    else request.once('end', close).once('close', close)
  }
}

/** @param giveUp called when more comes than is read, or nothing any more */
function drain(request: IncomingMessage, most: typeof usual, giveUp: () => void): void {
  const { socket } = request
  const [began, before] = [performance.now(), socket.bytesRead]
  let [seen, changed] = [before, began]
  const timer = setInterval(() => {
    const now = performance.now()
    if (socket.bytesRead > seen) [seen, changed] = [socket.bytesRead, now]
    const isTooMuch = seen - before > most.bytes || now - began > most.time
    if (isTooMuch || now - changed > most.silence) giveUp()
  }, interval).unref()
  const stop = () => {
    clearInterval(timer)
  }
  request.once('end', stop).once('close', stop).resume()
}
