import type { Problem } from './problem.ts'

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
