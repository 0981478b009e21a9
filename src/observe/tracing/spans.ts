import type * as api from '@opentelemetry/api'
import type { Context, TextMapPropagator, Tracer } from '@opentelemetry/api'
import type { AsyncLocalStorage } from 'node:async_hooks'

export type Api = typeof api

/** What makes spans. */
export type Spans = {
  readonly api: Api
  readonly tracer: Tracer
  /** Reads `traceparent` and `tracestate` (W3C Trace Context). */
  readonly propagator: TextMapPropagator
  /** The request in whose course something runs. */
  readonly current: AsyncLocalStorage<Context>
}
