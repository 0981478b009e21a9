import type { Api, Spans } from './spans.ts'
import { traceRequests } from './trace-requests.ts'
import { traceStatements } from './trace-statements.ts'
import { traceMessage } from './trace-message.ts'
import type { SettledMessage } from './trace-message.ts'
import type { FastifyInstance } from 'fastify'

/** Milliseconds for a batch of spans, with all tries: a hub that stops must not wait longer. */
const patience = 3000

type Options = {
  /** Base address of an OTLP/HTTP collector, such as `http://localhost:4318`. */
  readonly endpoint: string
  /** Share of the traces that begin here, 0 to 1; whoever sends a `traceparent` decides for his. */
  readonly share: number
  readonly version: string
  readonly now: () => Date
  /** Told when traces could not be sent; they are dropped. */
  readonly onError: (error: unknown) => void
}

/** Spans of requests, statements and pushed messages, sent to a collector. */
export type Tracing = {
  readonly traceRequests: (app: FastifyInstance) => void
  readonly around: <Result>(
    statement: { readonly text: string },
    work: () => Promise<Result>,
  ) => Promise<Result>
  readonly settled: (message: SettledMessage) => void
  /** Sends what is left. */
  readonly stop: () => Promise<void>
}

/** Loads OpenTelemetry, which costs memory and time, only here: where nothing is traced, it is not there. */
export async function openTracing({ now, ...options }: Options): Promise<Tracing> {
  const api = await import('@opentelemetry/api')
  const { provider, propagator } = await openProvider(options)
  const tracer = provider.getTracer('hub', options.version)
  const spans: Spans = { api, tracer, propagator, current: await openCurrent() }
  return {
    traceRequests: (app) => {
      traceRequests(app, spans)
    },
    around: traceStatements(spans),
    settled: (message) => {
      traceMessage(spans, message, now())
    },
    stop: () => provider.shutdown().catch(options.onError),
  }
}

async function openCurrent() {
  const { AsyncLocalStorage } = await import('node:async_hooks')
  return new AsyncLocalStorage<ReturnType<Api['trace']['setSpan']>>()
}

async function openProvider({ endpoint, share, version, onError }: Omit<Options, 'now'>) {
  const sdk = await import('@opentelemetry/sdk-trace')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const { W3CTraceContextPropagator, setGlobalErrorHandler } = await import('@opentelemetry/core')
  setGlobalErrorHandler(onError)
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: patience })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'hub', 'service.version': version }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  return { provider, propagator: new W3CTraceContextPropagator() }
}
