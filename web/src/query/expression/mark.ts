import type { Issue } from '../../api/index.ts'
import type { ExpressionLanguage } from './conditions.ts'
import { toTokens } from './tokens.ts'

/** A part of an expression that something is said about. */
export type Mark = {
  readonly start: number
  readonly end: number
  readonly tone: 'wrong' | 'doubtful'
}

/** Where an issue is: the part that begins there, and at the end of the text what stands last. */
export function toMarks(
  language: ExpressionLanguage,
  source: string,
  { errors, warnings }: { readonly errors: readonly Issue[]; readonly warnings: readonly Issue[] },
): readonly Mark[] {
  const place = (issues: readonly Issue[], tone: Mark['tone']) =>
    issues.flatMap(({ position }) =>
      position === undefined || source === '' ? [] : [{ ...at(language, source, position), tone }],
    )
  return [...place(errors, 'wrong'), ...place(warnings, 'doubtful')]
}

function at(language: ExpressionLanguage, source: string, position: number) {
  const start = Math.max(0, Math.min(position, source.length - 1))
  const token = toTokens(language, source).find((one) => one.start <= start && start < one.end)
  return { start, end: Math.max(token?.end ?? 0, start + 1) }
}
