import type { FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'
import type { Answered, FindEarly } from './early-answer.ts'
import { EarlyConnection } from './early-connection.ts'
import type { Door, Given, Persistence } from './early-connection.ts'
import { readPlainRequest } from './plain-request.ts'
import { requestIds } from './request-ids.ts'
import { headWriter } from './write-head.ts'

type Deps = {
  readonly now: () => Date
  /** Told of every answer, as hooks are of those of the framework. */
  readonly onAnswer: (answered: Answered) => void
}

type EarlyRoute = { readonly url: string; readonly pattern: RegExp; readonly find: FindEarly }

/**
 * Answers plain requests for routes whose `config` has `early` before HTTP is read and the framework is
 * asked: several times as many a second (docs/performance.md). Every connection is looked at until it
 * asks for something else; then Node's HTTP server has it, as if this did not exist. Call it before the
 * routes are added: it watches them come.
 */
export function answerEarly(app: FastifyInstance, deps: Deps): void {
  const routes: EarlyRoute[] = []
  const connections = new Set<EarlyConnection>()
  let isClosed = false
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.early === undefined || ![method].flat().includes('GET')) return
    routes.push({ url, pattern: toPattern(url), find: config.early })
  })
  app.addHook('onReady', (done) => {
    const write = answerWriter(deps, app.server.keepAliveTimeout)
    const door = { find: finder(routes), write, isClosed: () => isClosed }
    if (routes.length > 0) welcome(app, door, connections)
    done()
  })
  app.addHook('preClose', (done) => {
    isClosed = true
    for (const connection of connections) connection.close()
    done()
  })
}

/** `/a/:b` → `^/a/(?<b>[^/]+)$` */
function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\*]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:([A-Za-z]+)/g, '(?<$1>[^/]+)')}$`)
}

function finder(routes: readonly EarlyRoute[]): Door['find'] {
  return (bytes) => {
    const request = readPlainRequest(bytes)
    if (request === undefined) return undefined
    for (const { url, pattern, find } of routes) {
      const match = pattern.exec(request.path)
      if (match === null) continue
      const answer = find({ ...request, params: { ...match.groups } })
      return answer && { answer, route: url, url: request.path }
    }
    return undefined
  }
}

function answerWriter({ now, onAnswer }: Deps, patience: number) {
  const writeHead = headWriter(patience)
  const nextId = requestIds()
  return (socket: Socket, { found, answer, since }: Given, persistence: Persistence): boolean => {
    const requestId = nextId()
    const head = writeHead(answer, { requestId, now: now(), persistence })
    const tell = () => {
      const { route, url } = found
      const milliseconds = performance.now() - since
      const { remoteAddress: address } = socket
      onAnswer({
        requestId,
        method: 'GET',
        route,
        url,
        status: answer.status,
        milliseconds,
        address,
      })
    }
    if (answer.body !== undefined) {
      socket.cork()
      socket.write(head, 'latin1')
      const isTaken = socket.write(answer.body, tell)
      socket.uncork()
      return isTaken
    }
    const isTaken = socket.write(head, 'latin1')
    tell()
    return isTaken
  }
}

/** Has new connections come to the door first. */
function welcome(
  { server }: FastifyInstance,
  door: Omit<Door, 'handOver' | 'keepAlive'>,
  connections: Set<EarlyConnection>,
): void {
  const http = server.listeners('connection')
  const handOver = (socket: Socket) => {
    for (const listener of http) Reflect.apply(listener, server, [socket])
  }
  const keepAlive = server.keepAliveTimeout + server.keepAliveTimeoutBuffer
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (door.isClosed()) {
      handOver(socket)
      return
    }
    const forget = () => connections.delete(connection)
    const leave = (leaving: Socket) => {
      leaving.off('close', forget)
      forget()
      handOver(leaving)
    }
    const connection = new EarlyConnection(socket, { ...door, keepAlive, handOver: leave })
    connections.add(connection)
    socket.once('close', forget)
  })
}
