import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Milliseconds that statements took for one request. */
type Spent = { database: number }

/** Knows how long the statements of each request take. */
export type AnswerClock = {
  /** Counts the time of a statement for the request in whose course it runs. */
  readonly around: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Has every answer say where its time went. */
  readonly tell: (app: FastifyInstance) => void
}

/**
 * `Server-Timing` (W3C Server Timing) for every answer that passes the framework: `total` from the
 * request to the first byte of the answer, `db` the sum of its statements, which may run side by side.
 * Whole milliseconds: finer ones would tell strangers more of closed data than the network lets through.
 */
export function answerClock(): AnswerClock {
  const current = new AsyncLocalStorage<Spent>()
  return {
    around: async (work) => {
      const spent = current.getStore()
      if (spent === undefined) return work()
      const since = performance.now()
      try {
        return await work()
      } finally {
        spent.database += performance.now() - since
      }
    },
    tell: (app) => {
      tellTimes(app, current)
    },
  }
}

function tellTimes(app: FastifyInstance, current: AsyncLocalStorage<Spent>): void {
  const spending = new WeakMap<FastifyRequest, Spent>()
  app.addHook('onRequest', (request, _reply, done) => {
    const spent = { database: 0 }
    spending.set(request, spent)
    current.run(spent, done)
  })
  // What reads a body is called by its stream, which knows of no request.
  app.addHook('preValidation', (request, _reply, done) => {
    const spent = spending.get(request)
    if (spent === undefined || current.getStore() === spent) done()
    else current.run(spent, done)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const total = Math.round(reply.elapsedTime)
    const database = Math.round(spending.get(request)?.database ?? 0)
    void reply.header('server-timing', `total;dur=${String(total)}, db;dur=${String(database)}`)
    void reply.header('timing-allow-origin', '*')
    done(null, payload)
  })
}
