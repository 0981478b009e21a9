import type { ExpressionLanguage } from './conditions.ts'
import { toTokens } from './tokens.ts'
import type { Token } from './tokens.ts'

/** What can be inserted at the cursor, and where the word to replace starts. */
export type CompletionPlace =
  | { readonly kind: 'call'; readonly from: number }
  | { readonly kind: 'member'; readonly from: number }
  /** A complete field, or the start of a longer one: `smetadata` of `smetadata.city`. */
  | { readonly kind: 'memberOrOperator'; readonly from: number; readonly path: string }
  | { readonly kind: 'value'; readonly from: number; readonly path: string }

const connectives = ['and', 'or', 'not']

/** Determines what can be inserted at a position, from the text before it. */
export function completionPlace(
  language: ExpressionLanguage,
  source: string,
  position: number,
): CompletionPlace | undefined {
  const before = source.slice(0, position)
  return language === 'where' ? placeInWhere(before) : placeInRawFilter(before)
}

type Call = { readonly name: string; readonly path: string; readonly index: number }

function placeInRawFilter(before: string): CompletionPlace | undefined {
  const tokens = toTokens('rawfilter', before)
  const [call, last] = [openCall(before, tokens), tokens.at(-1)]
  const isText = last?.kind === 'text' && last.end === before.length
  if (isText && isClosed(before.slice(last.start))) return undefined
  const isWord = last !== undefined && last.kind !== 'sign' && last.end === before.length
  const from = isWord ? last.start : before.length
  if (call === undefined || connectives.includes(call.name)) {
    // Nothing can follow a closing bracket.
    return before.trimEnd().endsWith(')') ? undefined : { kind: 'call', from }
  }
  return call.index === 0 ? { kind: 'member', from } : { kind: 'value', from, path: call.path }
}

/** Returns the innermost call that is still open, and the index of its current argument. */
function openCall(before: string, tokens: readonly Token[]): Call | undefined {
  let open: readonly Call[] = []
  let name = ''
  for (const { kind, start, end } of tokens) {
    const written = before.slice(start, end)
    const inner = open.at(-1)
    if (kind === 'call') name = written
    else if (written === '(') open = [...open, { name, path: '', index: 0 }]
    else if (written === ')') open = open.slice(0, -1)
    else if (inner === undefined) continue
    else if (written === ',') open = [...open.slice(0, -1), { ...inner, index: inner.index + 1 }]
    else if (inner.index === 0) open = [...open.slice(0, -1), { ...inner, path: written }]
  }
  return open.at(-1)
}

/** Reports whether a quoted text is closed. */
function isClosed(text: string): boolean {
  const quote = text.charAt(0)
  return text.length > 1 && (text.split(quote).length - 1) % 2 === 0
}

function placeInWhere(before: string): CompletionPlace | undefined {
  const tokens = toTokens('where', before)
  const last = tokens.at(-1)
  if (last?.kind === 'text' && /^"(?:[^\\"]|\\[^])*"$/.test(before.slice(last.start))) {
    return undefined
  }
  const index = tokens.findLastIndex(({ kind }) => kind === 'operator')
  const operator = tokens[index]
  const inside = tokens.slice(index + 1).map(({ start, end }) => before.slice(start, end))
  if (operator !== undefined && isInValue(inside)) {
    const member = tokens[index - 1]
    const path = member === undefined ? '' : before.slice(member.start, member.end)
    const isWord = last !== undefined && last !== operator && last.kind !== 'sign'
    return { kind: 'value', from: isWord ? last.start : before.length, path }
  }
  const word = /[\p{L}_][\p{L}\p{N}_.-]*$/u.exec(before)?.[0] ?? ''
  const from = before.length - word.length
  return before.slice(from).includes('.')
    ? { kind: 'memberOrOperator', from, path: before.slice(from, before.lastIndexOf('.')) }
    : { kind: 'member', from }
}

/**
 * Reports whether the text after an operator is still its value. A list lasts until its closing
 * bracket.
 */
function isInValue(parts: readonly string[]): boolean {
  if (parts[0] === '(') return !parts.includes(')')
  return !parts.includes(',') && !parts.includes(')')
}
