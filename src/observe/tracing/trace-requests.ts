import type { Context, Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Spans } from './spans.ts'

type Traced = { readonly span: Span; readonly context: Context }

const getter = {
  get: (headers: FastifyRequest['headers'], name: string) => headers[name],
  keys: (headers: FastifyRequest['headers']) => Object.keys(headers),
}

/**
 * A span for every request that passes the framework, named by its route (OpenTelemetry semantic
 * conventions, HTTP spans). Nothing of the query, the headers or the body is in it.
 */
export function traceRequests(app: FastifyInstance, spans: Spans): void {
  const { current } = spans
  const traced = new WeakMap<FastifyRequest, Traced>()
  app.addHook('onRequest', (request, _reply, done) => {
    const begun = begin(request, spans)
    traced.set(request, begun)
    current.run(begun.context, done)
  })
  // What reads a body is called by its stream, which knows of no request.
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
