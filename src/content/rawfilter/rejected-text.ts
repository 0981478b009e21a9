import { AppError } from '../../errors/index.ts'
import type { LanguageError } from '../../lang/index.ts'

const codes = { rawfilter: 'HUB-QRY-005', rawsort: 'HUB-QRY-006' } as const

/** What a caller reads about a text that is not in the language of its parameter (decision D1). */
export function rejectedText(
  parameter: 'rawfilter' | 'rawsort',
  { message, position, expected, hint }: LanguageError,
): AppError {
  const advice = hint === undefined ? {} : { hint }
  return new AppError(codes[parameter], `${parameter}: ${message}`, {
    issues: [{ parameter, detail: message, position, expected, ...advice }],
    ...advice,
  })
}
