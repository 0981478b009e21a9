import type { FastifyInstance } from 'fastify'

/** What one client, or all of them together, may take of the server. Times in milliseconds. */
export type ServerLimits = {
  /** Until the headers of a request must have arrived, counted from its first byte or the connection. */
  readonly headersTimeout: number
  /** Until a request must have arrived as a whole, with its body. */
  readonly requestTimeout: number
  /** Connections at a time; further ones are closed at once. */
  readonly maxConnections: number
}

/** How often it is looked for requests that are too slow. */
const interval = 1000

/** Address and headers together; documented with HUB-RTE-004. */
const headerBytes = 16_384

/**
 * The options of Fastify for these limits. A client that sends byte by byte is answered 408 and
 * disconnected (HUB-RTE-006), whatever address it asks for.
 */
export function toServerOptions(limits: ServerLimits | undefined) {
  if (limits === undefined) return {}
  const { headersTimeout, requestTimeout } = limits
  return {
    requestTimeout,
    http: {
      // Node refuses a time for headers that is longer than the one for all.
      headersTimeout: Math.min(headersTimeout, requestTimeout),
      requestTimeout,
      connectionsCheckingInterval: interval,
      maxHeaderSize: headerBytes,
    },
  }
}

export function limitConnections(app: FastifyInstance, limits: ServerLimits | undefined): void {
  if (limits !== undefined) app.server.maxConnections = limits.maxConnections
}
