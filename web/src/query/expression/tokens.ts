import type { ExpressionLanguage } from './conditions.ts'
import type { Issue } from '../../api/index.ts'

type TokenKind = 'call' | 'member' | 'operator' | 'text' | 'number' | 'constant' | 'sign'

/** A part of an expression: offsets of its first character and behind its last. */
export type Token = { readonly kind: TokenKind; readonly start: number; readonly end: number }

type Rule = readonly [TokenKind | 'blank', RegExp]

const operators = 'eq|neq|lt|gt|lteq|gteq|re|ire|nre|nire|in|nin|bbi|bbc|dlt'

/** Texts may be open: somebody is typing them. */
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
    // The member of a condition reaches as far as an operator between two dots is found.
    ['member', new RegExp(String.raw`[\p{L}_][\p{L}\p{N}_.-]*(?=\.(?:${operators})\.)`, 'uiy')],
    ['operator', new RegExp(String.raw`\.(?:${operators})\.`, 'iy')],
    ['constant', /(?:true|false|null)(?=[,)]|$)/iy],
    ['number', /[+-]?\d[\p{L}\d:.+-]*/uy],
    ['member', /[\p{L}_][\p{L}\p{N}_.-]*/uy],
    ['sign', /[(),]/y],
  ],
}

/** The parts of an expression, for its colours: also of one that is wrong or not finished. */
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
  // What fits nowhere is passed over; the hub says what is wrong with it.
  return { kind: 'blank' as const, end: start + 1 }
}

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
