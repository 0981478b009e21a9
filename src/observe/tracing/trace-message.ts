import type { Spans } from './spans.ts'

/** What became of a pushed message. */
export type SettledMessage = {
  readonly id: string
  readonly stream: string
  readonly state: string
  readonly stored: number
  readonly rejected: number
  /** Since it was received. */
  readonly seconds: number
}

/**
 * A span for every pushed message, from its arrival until it was done or put off (OpenTelemetry
 * semantic conventions, messaging spans). The work is done in another thread, which only reports.
 */
export function traceMessage({ api, tracer }: Spans, message: SettledMessage, now: Date): void {
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
