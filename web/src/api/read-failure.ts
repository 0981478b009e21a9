import type { Failure } from './failure.ts'
import { toProblem } from './problem.ts'

/** Seconds to wait where the hub does not say. */
const usualWait = 5

/** The quota of history: the same status as too many requests, but waiting does not help. */
const historyTooLong = 'HUB-QTA-001'

/** What an answer that is not a success means for the person who asked. */
export async function readFailure(response: Response): Promise<Failure> {
  const problem = toProblem(await response.json().catch(() => undefined))
  const told = problem === undefined ? {} : { problem }
  const retryAfter = waitOf(response.headers.get('retry-after'))
  switch (response.status) {
    case 401:
      return { kind: 'unauthorised', ...told }
    case 403:
      return { kind: 'forbidden', ...told }
    case 404:
    case 410:
      return { kind: 'notFound', ...told }
    case 429:
      return problem?.errorCode === historyTooLong
        ? { kind: 'tooLong', ...told }
        : { kind: 'tooMany', retryAfter, ...told }
    case 502:
    case 503:
    case 504:
      return { kind: 'unavailable', retryAfter, ...told }
    default:
      if (response.status >= 400 && response.status < 500) return { kind: 'invalid', ...told }
      return { kind: 'broken', ...requestOf(response), ...told }
  }
}

function requestOf(response: Response): { readonly requestId?: string } {
  const requestId = response.headers.get('x-request-id')
  return requestId === null ? {} : { requestId }
}

/** Seconds, or a date (RFC 9110, section 10.2.3), which the hub does not send. */
function waitOf(header: string | null): number {
  const seconds = Number(header)
  return header !== null && Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : usualWait
}
