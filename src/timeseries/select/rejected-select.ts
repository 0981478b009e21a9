import { AppError } from '../../errors/index.ts'

/** What is wrong with a `select`, and where. */
export type Complaint = {
  readonly detail: string
  readonly position: number
  readonly expected: readonly string[]
  readonly hint?: string | undefined
}

/** What a caller reads about a `select` that cannot be shown (decision D1). */
export function rejectedSelect({ detail, position, expected, hint }: Complaint): AppError {
  const advice = hint === undefined ? {} : { hint }
  return new AppError('HUB-QRY-009', `select: ${detail}`, {
    issues: [{ parameter: 'select', detail, position, expected, ...advice }],
    ...advice,
  })
}
