import type { TLocalizedValidationError } from 'typebox/error'
import { pointerTo } from '../lang/json.ts'
import { catalogue, sentenceOf } from './catalogue.ts'
import type { ErrorCode } from './catalogue.ts'

export { catalogue, dayForm, form, sentenceOf } from './catalogue.ts'
export type { ErrorCode } from './catalogue.ts'

/** One fault in a request: which parameter or field, where in it, and what would be right. */
export type Issue = {
  /** Name of the query parameter, for a fault in the URL. */
  readonly parameter?: string
  /** JSON pointer (RFC 6901) of the field, for a fault in a body. */
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
  /** Header fields that the response must carry, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Name of the exceeded quota (decision D1). */
  readonly policy?: string
  readonly cause?: unknown
}

/** Limit on issues, so that a response is not many times longer than the request it refuses. */
const maxIssues = 100

/**
 * The only error whose message reaches a caller. Any other error is reported as an internal error.
 */
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
  if (issues.length <= maxIssues) return issues
  const more = String(issues.length - maxIssues)
  return [...issues.slice(0, maxIssues), { detail: `and ${more} more faults` }]
}

type Fault = TLocalizedValidationError

/**
 * Returns pointers to the faulty fields. Schemas report a missing or unknown field at its parent.
 */
function pointers(fault: Fault): readonly string[] {
  const below = (names: readonly string[]) =>
    names.map((name) => pointerTo(fault.instancePath, name))
  if (fault.keyword === 'required') return below(fault.params.requiredProperties)
  if (fault.keyword === 'additionalProperties') return below(fault.params.additionalProperties)
  return [fault.instancePath]
}

function describe(fault: Fault): Pick<Issue, 'detail' | 'expected'> {
  switch (fault.keyword) {
    case 'required':
      return { detail: 'is required' }
    // A schema reports an unknown field by itself, and all of them at their parent. The latter may
    // come too late, because only the first eight faults are reported.
    case 'boolean':
    case 'additionalProperties':
      return { detail: 'is not a known field' }
    case 'type':
      return { detail: fault.message, expected: [fault.params.type].flat() }
    case 'enum':
      return {
        detail: 'is not one of the allowed values',
        expected: fault.params.allowedValues.map(String),
      }
    case 'pattern':
      return { detail: sentenceOf(String(fault.params.pattern)) }
    default:
      return { detail: fault.message }
  }
}

function unionOf(types: ReadonlySet<string>): Pick<Issue, 'detail' | 'expected'> {
  return { detail: `must be ${[...types].join(' or ')}`, expected: [...types] }
}

/**
 * Converts the faults that a schema found into issues, one per place. A union reports every branch
 * that failed; only the first fault of a place is kept, unless a later one lists the allowed
 * values. If only the type is wrong, the types of all branches are expected.
 */
export function schemaIssues(
  faults: readonly Fault[],
): readonly (Issue & { readonly pointer: string })[] {
  const issues = new Map<string, Issue & { readonly pointer: string }>()
  const types = new Map<string, Set<string>>()
  for (const fault of faults) {
    for (const pointer of pointers(fault)) {
      const known = issues.get(pointer)
      const allowed = types.get(pointer)
      if (fault.keyword === 'type' && (known === undefined || allowed !== undefined)) {
        const all = new Set([...(allowed ?? []), ...[fault.params.type].flat()])
        types.set(pointer, all)
        issues.set(pointer, { pointer, ...describe(fault), ...(allowed && unionOf(all)) })
      } else if (
        known === undefined ||
        (known.expected === undefined && fault.keyword === 'enum')
      ) {
        types.delete(pointer)
        issues.set(pointer, { pointer, ...describe(fault) })
      }
    }
  }
  return [...issues.values()]
}
