/**
 * Why there is nothing to show, classified by what the user can do about it. `requestId` lets an
 * operator find the request in the log.
 */
export type Failure =
  /** The hub cannot be reached. */
  | { readonly kind: 'offline' }
  /** The user is not logged in, or the session has expired. */
  | { readonly kind: 'unauthorised'; readonly problem?: Problem }
  | { readonly kind: 'forbidden'; readonly problem?: Problem }
  | { readonly kind: 'notFound'; readonly problem?: Problem }
  /** Too many requests; `retryAfter` is in seconds. */
  | { readonly kind: 'tooMany'; readonly retryAfter: number; readonly problem?: Problem }
  /** More history in one request than this caller may have. Retrying does not help. */
  | { readonly kind: 'tooLong'; readonly problem?: Problem }
  | { readonly kind: 'unavailable'; readonly retryAfter: number; readonly problem?: Problem }
  /** The request is invalid; `problem.errors` lists where. */
  | { readonly kind: 'invalid'; readonly problem?: Problem }
  /** The hub or this page failed. */
  | { readonly kind: 'broken'; readonly requestId?: string; readonly problem?: Problem }

/**
 * Thrown by everything that sends requests to the hub. An abort remains the browser's `AbortError`.
 */
export class RequestFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    const problem = 'problem' in failure ? failure.problem : undefined
    super(problem?.detail ?? problem?.title ?? failure.kind)
    this.name = 'RequestFailure'
    this.failure = failure
  }
}

/** Returns the failure behind any thrown value. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof RequestFailure) return thrown.failure
  // `fetch` throws a `TypeError` if there is no response (Fetch standard, 5.6).
  if (thrown instanceof TypeError && /fetch|network|load failed/i.test(thrown.message)) {
    return { kind: 'offline' }
  }
  return { kind: 'broken' }
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError'
}

/** An error in one parameter of a request: its position and what is allowed there. */
export type Fault = {
  readonly parameter?: string
  readonly pointer?: string
  readonly detail: string
  /** Zero-based offset in the text of the parameter. */
  readonly position?: number
  readonly expected?: readonly string[]
  readonly hint?: string
}

/** The hub's description of an error (RFC 9457, with extension members of its own). */
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

/**
 * Parses the body of an error response. Further members, such as those of the time series service,
 * are ignored.
 */
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

/** Reports whether a parsed JSON value is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Seconds to wait if the hub sends no `Retry-After`. */
const usualWait = 5

/**
 * Error code of the history quota. It shares its status with too many requests, but waiting does
 * not help.
 */
const historyTooLong = 'HUB-QTA-001'

/** Classifies a response that is not a success by what it means for the user. */
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

/**
 * Parses `Retry-After` in seconds. Its other form, a date (RFC 9110, section 10.2.3), is never sent
 * by the hub.
 */
function waitOf(header: string | null): number {
  const seconds = Number(header)
  return header !== null && Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : usualWait
}
