import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { Member } from '../../api/index.ts'
import { completionPlace } from '../expression/completion-place.ts'
import type { ExpressionLanguage } from '../expression/conditions.ts'
import { kindOf } from '../expression/members-in-use.ts'
import { quoteValue } from '../expression/quote-value.ts'
import { applyCall, applyMember, applyOperator, applyValue } from './apply-completion.ts'

/** What completion knows and says. It is asked anew at every key, so that it may change meanwhile. */
export type CompletionSource = {
  readonly language: ExpressionLanguage
  readonly members: () => readonly Member[]
  readonly operators: () => readonly string[]
  readonly knownValues: (path: string) => Promise<readonly string[]>
  readonly words: () => CompletionWords
}

export type CompletionWords = {
  readonly operator: (name: string) => string
  readonly type: (type: Member['type']) => string
  readonly deprecated: (member: Member) => string | undefined
}

const connectives = ['and', 'or', 'not']

/** Finds what can stand where somebody types, for CodeMirror. */
export const complete =
  (source: CompletionSource) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const text = context.state.doc.toString()
    const place = completionPlace(source.language, text, context.pos)
    if (place === undefined) return null
    const { from } = place
    if (!context.explicit && from === context.pos && place.kind === 'call') return null
    switch (place.kind) {
      case 'call':
        return { from, options: callOptions(source), validFor: /^\w*$/ }
      case 'member':
        // Before they are known nothing is remembered, so that the next key asks again.
        if (source.members().length === 0) return null
        return { from, options: memberOptions(source), validFor: /^[\p{L}\d_@.[\]*-]*$/u }
      case 'memberOrOperator':
        return { from, options: [...operatorOptions(source, place.path), ...memberOptions(source)] }
      case 'value': {
        const options = await valueOptions(source, place.path)
        return context.aborted || options.length === 0 ? null : { from, options }
      }
    }
  }

function callOptions({ operators, words }: CompletionSource): readonly Completion[] {
  return [...connectives, ...operators()].map((label) => ({
    label,
    detail: words().operator(label),
    type: 'function',
    apply: applyCall,
  }))
}

function memberOptions({ members, language, words }: CompletionSource): readonly Completion[] {
  const { type, deprecated } = words()
  return members().map((member) => {
    const warning = deprecated(member)
    return {
      label: member.path,
      detail: type(member.type),
      type: warning === undefined ? 'property' : 'deprecated',
      // Those of today come first.
      boost: warning === undefined ? boostOf(member) : -90,
      ...infoOf([warning, member.description]),
      apply: applyMember(language),
    }
  })
}

/** Members of the record itself before those deep inside and whole objects. */
function boostOf({ path, type }: Member): number {
  const isWhole = type === 'object' || type === 'json' || type === 'any'
  return -4 * path.split('.').length - (isWhole ? 20 : 0)
}

function infoOf(parts: readonly (string | null | undefined)[]): { readonly info?: string } {
  const known = parts.filter((part) => typeof part === 'string')
  return known.length === 0 ? {} : { info: known.join('\n') }
}

function operatorOptions(
  { members, words }: CompletionSource,
  path: string,
): readonly Completion[] {
  const member = members().find((one) => one.path === path)
  return (member?.operators ?? []).map((operator) => ({
    label: `${path}.${operator}`,
    displayLabel: operator,
    detail: words().operator(operator),
    type: 'function',
    boost: 50,
    apply: applyOperator,
  }))
}

async function valueOptions(
  { language, members, knownValues }: CompletionSource,
  path: string,
): Promise<readonly Completion[]> {
  const member = members().find((one) => one.path === path)
  if (member === undefined) return []
  const kind = kindOf(member) ?? 'text'
  if (kind === 'boolean') return ['true', 'false'].map((label) => ({ label, type: 'constant' }))
  if (member.type === 'place' || kind === 'time') return []
  const values = await knownValues(path)
  return values.map((value) => ({
    label: quoteValue(language, kind, value),
    type: 'text',
    apply: applyValue,
  }))
}
