import { catalogue } from './catalogue.ts'
import type { ErrorCode } from './catalogue.ts'

/** One fault inside a request: which parameter or member, where in it, and what would be right. */
export type Issue = {
  /** Name of the query parameter, for faults in the URL. */
  readonly parameter?: string
  /** JSON pointer (RFC 6901) of the member, for faults in a body. */
  readonly pointer?: string
  readonly detail: string
  /** Zero-based offset in the text of the parameter. */
  readonly position?: number
  readonly expected?: readonly string[]
  readonly hint?: string
}

type Options = {
  readonly hint?: string
  readonly issues?: readonly Issue[]
  /** Header fields that the answer must carry, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Name of the quota that a request exceeds (decision D1). */
  readonly policy?: string
  readonly cause?: unknown
}

/** An answer must not be many times as long as the request that it refuses. */
const mostIssues = 100

/** The only error whose words reach a caller. Anything else is answered as an internal error. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly title: string
  readonly hint: string | undefined
  readonly issues: readonly Issue[]
  readonly headers: Readonly<Record<string, string>>
  readonly policy: string | undefined

  constructor(code: ErrorCode, detail: string, options: Options = {}) {
    super(detail, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = catalogue[code].status
    this.title = catalogue[code].title
    this.hint = options.hint
    this.issues = capped(options.issues ?? [])
    this.headers = options.headers ?? {}
    this.policy = options.policy
  }
}

function capped(issues: readonly Issue[]): readonly Issue[] {
  if (issues.length <= mostIssues) return issues
  const more = String(issues.length - mostIssues)
  return [...issues.slice(0, mostIssues), { detail: `and ${more} more faults` }]
}
