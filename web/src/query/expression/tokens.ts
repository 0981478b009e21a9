import type { ExpressionLanguage } from './conditions.ts'
import type { Issue } from '../../api/index.ts'

type TokenKind = 'call' | 'member' | 'operator' | 'text' | 'number' | 'constant' | 'sign'

/**
 * A token of an expression. `start` is the offset of its first character, `end` the offset after
 * its last one.
 */
export type Token = { readonly kind: TokenKind; readonly start: number; readonly end: number }

type Rule = readonly [TokenKind | 'blank', RegExp]

const operators = 'eq|neq|lt|gt|lteq|gteq|re|ire|nre|nire|in|nin|bbi|bbc|dlt'

/** The closing quote is optional, because the text may still be being typed. */
const contentText: Rule = ['text', /'(?:[^']|'')*'?|"(?:[^"]|"")*"?/y]
const stationText: Rule = ['text', /"(?:[^\\"]|\\[^])*"?/y]
const path = String.raw`[\p{L}\d_@-]+(?:\[\*\]|\.(?:\[\*?\]|[\p{L}\d_@-]+))*\.?`
const blank: Rule = ['blank', /[ \t\r\n]+/y]
const call: Rule = ['call', /\p{L}+(?=\s*\()/uy]

const rules: Readonly<Record<ExpressionLanguage, readonly Rule[]>> = {
  rawfilter: [
    blank,
    ['call', /dt(?=['"])/y],
    contentText,
    ['number', /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?![\p{L}\d_@.])/iuy],
    call,
    ['constant', /(?:true|false|\[\*?\])(?![\p{L}\d_@.-])/uy],
    ['member', new RegExp(path, 'uy')],
    ['sign', /[(),]/y],
  ],
  where: [
    blank,
    ['call', /(?:and|or)(?=\()/y],
    stationText,
    // A field extends to the next operator between two dots.
    ['member', new RegExp(String.raw`[\p{L}_][\p{L}\p{N}_.-]*(?=\.(?:${operators})\.)`, 'uiy')],
    ['operator', new RegExp(String.raw`\.(?:${operators})\.`, 'iy')],
    ['constant', /(?:true|false|null)(?=[,)]|$)/iy],
    ['number', /[+-]?\d[\p{L}\d:.+-]*/uy],
    ['member', /[\p{L}_][\p{L}\p{N}_.-]*/uy],
    ['sign', /[(),]/y],
  ],
}

/** Splits an expression into tokens for highlighting, even if it is invalid or incomplete. */
export function toTokens(language: ExpressionLanguage, source: string): readonly Token[] {
  const tokens: Token[] = []
  let start = 0
  while (start < source.length) {
    const { kind, end } = tokenAt(rules[language], source, start)
    if (kind !== 'blank') tokens.push({ kind, start, end })
    start = end
  }
  return tokens
}

function tokenAt(known: readonly Rule[], source: string, start: number) {
  for (const [kind, pattern] of known) {
    pattern.lastIndex = start
    const found = pattern.exec(source)?.[0] ?? ''
    if (found !== '') return { kind, end: start + found.length }
  }
  // Unknown characters are skipped; the hub reports the error.
  return { kind: 'blank' as const, end: start + 1 }
}

/** A highlighted part of an expression. */
export type Mark = {
  readonly start: number
  readonly end: number
  readonly tone: 'wrong' | 'doubtful'
}

/**
 * Returns the parts that errors and warnings refer to: the token at each position, or the last one
 * if the position is at the end.
 */
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
