import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, collectDefaultMetrics } from 'prom-client'
import type { Registry } from 'prom-client'

/** Seconds. Most answers take a few milliseconds; the long tail is what operators look for. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Counts and times every answer by route pattern, never by address: no identifier, and so no closed
 * record, can show in a label. Served at `/metrics` in the Prometheus text format.
 */
export function observeRequests(app: FastifyInstance, registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'hub_http_requests_total',
    help: 'Answered requests',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'hub_http_request_duration_seconds',
    help: 'Time from request to the end of the answer',
    labelNames,
    buckets,
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unrouted'
    const labels = { method: request.method, route, status: String(reply.statusCode) }
    requests.inc(labels)
    durations.observe(labels, reply.elapsedTime / 1000)
    done()
  })
}
