import { AppError } from '../../errors/index.ts'

type Fault = {
  readonly parameter: string
  /** What is wrong, as a predicate: `is not a sum of bits`. */
  readonly detail: string
  readonly expected: readonly string[]
  readonly position?: number
  readonly hint?: string
}

/** The error for a value that passes its schema and still means nothing (decision D2). */
export function rejected({ parameter, detail, ...rest }: Fault): AppError {
  const allowed = rest.expected.join(', ')
  return new AppError('HUB-QRY-001', `${parameter} ${detail}; allowed: ${allowed}.`, {
    issues: [{ parameter, detail, ...rest }],
    ...(rest.hint === undefined ? {} : { hint: rest.hint }),
  })
}
