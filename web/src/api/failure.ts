/**
 * Why there is nothing to show, by what a person can do about it. `requestId` is what an operator
 * finds in the log.
 */
export type Failure =
  /** The hub cannot be reached. */
  | { readonly kind: 'offline' }
  /** Nobody is logged in, or the login has ended. */
  | { readonly kind: 'unauthorised'; readonly problem?: Problem }
  | { readonly kind: 'forbidden'; readonly problem?: Problem }
  | { readonly kind: 'notFound'; readonly problem?: Problem }
  /** Too many requests; again after so many seconds. */
  | { readonly kind: 'tooMany'; readonly retryAfter: number; readonly problem?: Problem }
  /** More history at once than this caller gets; waiting does not help. */
  | { readonly kind: 'tooLong'; readonly problem?: Problem }
  | { readonly kind: 'unavailable'; readonly retryAfter: number; readonly problem?: Problem }
  /** What was asked for is wrong; `problem.errors` says where. */
  | { readonly kind: 'invalid'; readonly problem?: Problem }
  /** The hub, or this page, failed. */
  | { readonly kind: 'broken'; readonly requestId?: string; readonly problem?: Problem }

/** Thrown by everything that asks the hub. An abort stays the browser's `AbortError`. */
export class RequestFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    const problem = 'problem' in failure ? failure.problem : undefined
    super(problem?.detail ?? problem?.title ?? failure.kind)
    this.name = 'RequestFailure'
    this.failure = failure
  }
}

/** The failure behind whatever was thrown. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof RequestFailure) return thrown.failure
  // What `fetch` throws where there is no answer (Fetch standard, 5.6).
  if (thrown instanceof TypeError && /fetch|network|load failed/i.test(thrown.message)) {
    return { kind: 'offline' }
  }
  return { kind: 'broken' }
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError'
}

/** One fault of a request: which parameter, where in its text, what is allowed there. */
export type Fault = {
  readonly parameter?: string
  readonly pointer?: string
  readonly detail: string
  /** Zero-based offset in the text of the parameter. */
  readonly position?: number
  readonly expected?: readonly string[]
  readonly hint?: string
}

/** What the hub says of an error (RFC 9457, with its own members). */
export type Problem = {
  readonly type?: string
  readonly title?: string
  readonly status?: number
  readonly detail?: string
  readonly instance?: string
  readonly errorCode?: string
  readonly hint?: string
  readonly errors?: readonly Fault[]
}

/** Reads the body of an error; the time series service has members of its own beside these. */
export function toProblem(body: unknown): Problem | undefined {
  if (!isObject(body)) return undefined
  const { errors, status } = body
  return {
    ...textsOf(body, ['type', 'title', 'detail', 'instance', 'errorCode', 'hint']),
    ...(typeof status === 'number' ? { status } : {}),
    ...(Array.isArray(errors) ? { errors: errors.filter(isObject).map(toFault) } : {}),
  }
}

function toFault(fault: Readonly<Record<string, unknown>>): Fault {
  const { position, expected, detail } = fault
  return {
    ...textsOf(fault, ['parameter', 'pointer', 'hint']),
    detail: typeof detail === 'string' ? detail : '',
    ...(typeof position === 'number' ? { position } : {}),
    ...(Array.isArray(expected) ? { expected: expected.map(String) } : {}),
  }
}

function textsOf(from: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const found = names.filter((name) => typeof from[name] === 'string')
  return Object.fromEntries(found.map((name) => [name, String(from[name])]))
}

/** Whether something that came as JSON has members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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
