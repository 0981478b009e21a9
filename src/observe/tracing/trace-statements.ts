import type { Spans } from './spans.ts'

/**
 * A span for every statement that runs in the course of a request (OpenTelemetry semantic conventions,
 * database spans), with its text; values are no part of texts. An error is named by its code: its words
 * may hold values.
 */
export function traceStatements({ api, tracer, current }: Spans) {
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
