import type * as api from '@opentelemetry/api'
import type { Context, Span, TextMapPropagator, Tracer } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AsyncLocalStorage } from 'node:async_hooks'

/** Milliseconds for a batch of spans, with all attempts: a stopping hub must not wait longer. */
const patience = 3000

type Options = {
  /** Base URL of an OTLP/HTTP collector, such as `http://localhost:4318`. */
  readonly endpoint: string
  /**
   * Share of the traces that start here, 0 to 1. A caller that sends a `traceparent` decides for
   * its own.
   */
  readonly share: number
  readonly version: string
  readonly now: () => Date
  /** Called when traces could not be sent; they are dropped. */
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
  readonly stop: () => Promise<void>
}

/** Opens tracing. OpenTelemetry costs memory and time, so it is loaded only here. */
export async function openTracing({ now, ...options }: Options): Promise<Tracing> {
  const api = await import('@opentelemetry/api')
  const { provider, propagator } = await openProvider(options)
  const tracer = provider.getTracer('hub', options.version)
  const spans: Spans = { api, tracer, propagator, current: new AsyncLocalStorage() }
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

type SettledMessage = {
  readonly id: string
  readonly stream: string
  readonly state: string
  readonly stored: number
  readonly rejected: number
  /** Seconds since it was received. */
  readonly seconds: number
}

/**
 * Records a span for every pushed message, from its arrival until it was done or postponed
 * (OpenTelemetry semantic conventions, messaging spans). Another thread does the work and only
 * reports.
 */
function traceMessage({ api, tracer }: Spans, message: SettledMessage, now: Date): void {
  const { id, stream, state, stored, rejected, seconds } = message
  const startTime = new Date(now.getTime() - seconds * 1000)
  const attributes = {
    ...{ 'messaging.operation.type': 'process', 'messaging.system': 'hub' },
    ...{ 'messaging.message.id': id, 'messaging.destination.name': stream },
    ...{ 'hub.push.state': state, 'hub.push.stored': stored, 'hub.push.rejected': rejected },
  }
  const options = { kind: api.SpanKind.CONSUMER, startTime, attributes }
  const span = tracer.startSpan(`process ${stream}`, options, api.ROOT_CONTEXT)
  if (state === 'dead' || state === 'postponed') {
    span.setStatus({ code: api.SpanStatusCode.ERROR })
  }
  span.end(now)
}

type Traced = { readonly span: Span; readonly context: Context }

const getter = {
  get: (headers: FastifyRequest['headers'], name: string) => headers[name],
  keys: (headers: FastifyRequest['headers']) => Object.keys(headers),
}

/**
 * Records a span for every request that reaches the framework, named by its route (OpenTelemetry
 * semantic conventions, HTTP spans). It contains nothing of the query string, the headers or the
 * body.
 */
function traceRequests(app: FastifyInstance, spans: Spans): void {
  const { current } = spans
  const traced = new WeakMap<FastifyRequest, Traced>()
  app.addHook('onRequest', (request, _reply, done) => {
    const begun = begin(request, spans)
    traced.set(request, begun)
    current.run(begun.context, done)
  })
  // Restores the context, because the stream of the body, which continues the request here, has
  // none.
  app.addHook('preValidation', (request, _reply, done) => {
    const context = traced.get(request)?.context
    if (context === undefined || current.getStore() === context) done()
    else current.run(context, done)
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const span = traced.get(request)?.span
    span?.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) span?.setStatus({ code: spans.api.SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}

function begin({ method, headers, routeOptions }: FastifyRequest, spans: Spans): Traced {
  const { api, tracer, propagator } = spans
  const { url: route } = routeOptions
  const parent = propagator.extract(api.ROOT_CONTEXT, headers, getter)
  const span = tracer.startSpan(
    route === undefined ? method : `${method} ${route}`,
    {
      kind: api.SpanKind.SERVER,
      attributes: {
        'http.request.method': method,
        ...(route === undefined ? {} : { 'http.route': route }),
      },
    },
    parent,
  )
  return { span, context: api.trace.setSpan(parent, span) }
}

/**
 * Records a span for every statement of a request (OpenTelemetry semantic conventions, database
 * spans), with its text, which never contains values. An error is identified by its code, because
 * its message may contain values.
 */
function traceStatements({ api, tracer, current }: Spans) {
  return async <Result>(
    { text }: { readonly text: string },
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const parent = current.getStore()
    if (parent === undefined) return work()
    const operation = /\w+/.exec(text)?.[0].toLowerCase() ?? 'statement'
    const attributes = {
      ...{ 'db.system.name': 'postgresql', 'db.query.text': text },
      'db.operation.name': operation,
    }
    const span = tracer.startSpan(operation, { kind: api.SpanKind.CLIENT, attributes }, parent)
    try {
      return await work()
    } catch (error) {
      span.setAttribute('error.type', codeOf(error))
      span.setStatus({ code: api.SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

type Api = typeof api

type Spans = {
  readonly api: Api
  readonly tracer: Tracer
  /** Parses `traceparent` and `tracestate` (W3C Trace Context). */
  readonly propagator: TextMapPropagator
  /** The context of the current request. */
  readonly current: AsyncLocalStorage<Context>
}
