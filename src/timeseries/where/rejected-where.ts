import { AppError } from '../../errors/index.ts'
import type { LanguageError } from '../../lang/index.ts'
import type { Span } from './lexer.ts'

/** What a caller reads about a text that is no `where` at all (decision D1). */
export function rejectedWhere({ message, position, expected, hint }: LanguageError): AppError {
  const advice = hint === undefined ? {} : { hint }
  return new AppError('HUB-QRY-007', `where: ${message}`, {
    issues: [{ parameter: 'where', detail: message, position, expected, ...advice }],
    ...advice,
  })
}

type Complaint = {
  readonly detail: string
  readonly expected?: readonly string[]
  readonly hint?: string
}

/** What a caller reads about a condition that can be read, but says nothing about this data. */
export function meaningless({ start }: Span, complaint: Complaint): AppError {
  const { detail, hint } = complaint
  return new AppError('HUB-QRY-008', `where: ${detail} (position ${start}).`, {
    issues: [{ parameter: 'where', position: start, ...complaint }],
    ...(hint === undefined ? {} : { hint }),
  })
}
