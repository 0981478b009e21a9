import type { Member } from '../../api/index.ts'
import type { ExpressionLanguage, ValueKind } from './conditions.ts'

type MemberUse = {
  readonly language: ExpressionLanguage
  /** Of texts, in the order in which they are offered. */
  readonly textLanguages: readonly string[]
  /** Which addresses of stations the expression is for. */
  readonly at: 'stations' | 'values'
}

/** The members that an expression can name: with a language for its placeholder, and none of free keys. */
export function membersInUse(members: readonly Member[], wanted: MemberUse): readonly Member[] {
  return members
    .filter((member) => isPossible(member, wanted))
    .flatMap((member) => inLanguages(member, wanted.textLanguages))
    .filter(({ path }) => !path.includes('{'))
}

function isPossible(member: Member, { language, at }: MemberUse): boolean {
  if (member.at === 'edges') return false
  if (member.at === 'values' && at === 'stations') return false
  if (language === 'rawsort') return member.canSort
  return language === 'select' || member.canFilter
}

function inLanguages(member: Member, languages: readonly string[]): readonly Member[] {
  if (!member.path.includes('{language}')) return [member]
  return languages.map((language) => ({
    ...member,
    path: member.path.replaceAll('{language}', language),
  }))
}

/** What the values of a member are; undefined where they are of any kind, as in metadata. */
export function kindOf({ type }: Pick<Member, 'type'>): ValueKind | undefined {
  switch (type) {
    case 'text':
    case 'number':
    case 'boolean':
    case 'time':
      return type
    default:
      return undefined
  }
}

/** What somebody means who types this for a member of any kind. */
export function guessKind(value: string): ValueKind {
  if (value === 'true' || value === 'false') return 'boolean'
  return value.trim() !== '' && Number.isFinite(Number(value)) ? 'number' : 'text'
}
