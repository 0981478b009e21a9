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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
