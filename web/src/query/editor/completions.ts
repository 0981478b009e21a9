import type { Member } from '../../api/index.ts'
import { completionPlace } from '../expression/completion-place.ts'
import type { ExpressionLanguage } from '../expression/conditions.ts'
import { kindOf } from '../expression/members-in-use.ts'
import { quoteValue } from '../expression/conditions.ts'

/** Input for completion. It is read again at every key, so it may change. */
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
}

/** A completion. */
export type Completion = {
  readonly kind: 'call' | 'member' | 'operator' | 'value'
  readonly label: string
  /** Text to show instead of the label. */
  readonly shown?: string
  readonly detail: string
  readonly isDeprecated?: boolean
}

/** Completions for the word that starts at `from`. */
export type Completions = { readonly from: number; readonly options: readonly Completion[] }

/** The text and cursor, and whether the user typed or explicitly requested completions. */
export type Typing = {
  readonly text: string
  readonly cursor: number
  readonly reason: 'typed' | 'asked'
}

const connectives = ['and', 'or', 'not']
/** As many as are visible at once, so the list needs no scrolling. */
const most = 10

/** Finds the completions at the cursor. Returns undefined if there is nothing to offer. */
export async function completionsAt(
  source: CompletionSource,
  { text, cursor, reason }: Typing,
): Promise<Completions | undefined> {
  const place = completionPlace(source.language, text, cursor)
  if (place === undefined) return undefined
  const { from } = place
  if (reason === 'typed' && from === cursor && place.kind === 'call') return undefined
  const written = text.slice(from, cursor)
  const options = choose(await optionsAt(source, place), written)
  // A complete value needs no completion; any other completion inserts something after itself.
  const [first] = options
  const isDone = options.length === 1 && first?.kind === 'value' && first.label === written
  return options.length === 0 || isDone ? undefined : { from, options }
}

/**
 * Filters by the typed text. Labels that start with it come first, then those that contain it, each
 * in the original order.
 */
function choose(all: readonly Completion[], written: string): readonly Completion[] {
  const wanted = written.toLowerCase()
  const has = all.filter(({ label }) => label.toLowerCase().includes(wanted))
  const begins = (one: Completion) => one.label.toLowerCase().startsWith(wanted)
  return [...has.filter(begins), ...has.filter((one) => !begins(one))].slice(0, most)
}

type Place = NonNullable<ReturnType<typeof completionPlace>>

async function optionsAt(source: CompletionSource, place: Place): Promise<readonly Completion[]> {
  switch (place.kind) {
    case 'call':
      return callOptions(source)
    case 'member':
      return memberOptions(source)
    case 'memberOrOperator':
      return [...operatorOptions(source, place.path), ...memberOptions(source)]
    case 'value':
      return valueOptions(source, place.path)
  }
}

function callOptions({ operators, words }: CompletionSource): readonly Completion[] {
  return [...connectives, ...operators()].map((label) => ({
    ...{ kind: 'call', label },
    detail: words().operator(label),
  }))
}

/** Top-level fields come before nested ones, objects and deprecated fields. */
function memberOptions({ members, words }: CompletionSource): readonly Completion[] {
  const { type } = words()
  const rank = (member: Member) =>
    4 * member.path.split('.').length +
    (['object', 'json', 'any'].includes(member.type) ? 20 : 0) +
    (member.deprecated === null ? 0 : 90)
  return members()
    .toSorted((a, b) => rank(a) - rank(b))
    .map((member) => ({
      ...{ kind: 'member', label: member.path, detail: type(member.type) },
      isDeprecated: member.deprecated !== null,
    }))
}

function operatorOptions(
  { members, words }: CompletionSource,
  path: string,
): readonly Completion[] {
  const member = members().find((one) => one.path === path)
  return (member?.operators ?? []).map((operator) => ({
    ...{ kind: 'operator', label: `${path}.${operator}`, shown: operator },
    detail: words().operator(operator),
  }))
}

async function valueOptions(
  { language, members, knownValues }: CompletionSource,
  path: string,
): Promise<readonly Completion[]> {
  const member = members().find((one) => one.path === path)
  if (member === undefined) return []
  const kind = kindOf(member) ?? 'text'
  const toOption = (label: string): Completion => ({ kind: 'value', label, detail: '' })
  if (kind === 'boolean') return ['true', 'false'].map(toOption)
  if (member.type === 'place' || kind === 'time') return []
  return (await knownValues(path)).map((value) => toOption(quoteValue(language, kind, value)))
}

/** The text to insert for a completion, and the offset of the cursor from its start. */
export type Insertion = {
  readonly insert: string
  readonly cursor: number
  /** Whether to show the next completions immediately. */
  readonly goesOn: boolean
}

/**
 * Builds the text to insert for a completion, with the separator or brackets that must follow,
 * unless they are already there.
 */
export function toInsertion(
  { kind, label, shown = '' }: Completion,
  {
    language,
    before,
    after,
  }: Record<'before' | 'after', string> & { language: ExpressionLanguage },
): Insertion {
  const plain = { insert: label, cursor: label.length, goesOn: false }
  if (kind === 'value') return plain
  if (kind === 'operator') {
    const isList = ['in', 'nin', 'bbi', 'bbc', 'dlt'].includes(shown)
    return {
      insert: `${label}.${isList ? '()' : ''}`,
      cursor: label.length + (isList ? 2 : 1),
      goesOn: true,
    }
  }
  if (kind === 'call') {
    const brackets = after.startsWith('(') ? '' : '()'
    return { insert: label + brackets, cursor: label.length + 1, goesOn: true }
  }
  const needed = separatorBehind(language, before)
  if (needed === '') return plain
  const isThere = after.startsWith(needed)
  return { insert: label + (isThere ? '' : needed), cursor: label.length + 1, goesOn: true }
}

function separatorBehind(language: ExpressionLanguage, before: string): '.' | ',' | '' {
  if (language === 'where') return '.'
  return /\bis(?:not)?null\(\s*$/.test(before) ? '' : ','
}
