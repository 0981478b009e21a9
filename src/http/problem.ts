import type { AppError, Issue } from '../errors/index.ts'

/** RFC 9457 problem details with the members that decision D1 adds. */
export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly errorCode: string
  readonly hint?: string
  readonly errors?: readonly Issue[]
}

/** Where an error happened: what the wire formats need beyond the error itself. */
export type Occasion = {
  readonly publicUrl: string
  readonly requestId: string
  readonly now: Date
}

/** How one interface writes an error. Content uses `toProblem`; others add members to it. */
export type ErrorFormat = (error: AppError, occasion: Occasion) => object

/** `type` resolves to the page of the error, `instance` names this very request. */
export function toProblem(error: AppError, occasion: Occasion): Problem {
  return {
    type: `${occasion.publicUrl}/docs/errors/${error.code}`,
    title: error.title,
    status: error.status,
    detail: error.message,
    instance: `urn:uuid:${occasion.requestId}`,
    errorCode: error.code,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.issues.length === 0 ? {} : { errors: error.issues }),
  }
}
