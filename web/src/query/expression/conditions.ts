import { quoteForWhere } from '../../api/query.ts'
import { quoteForRawFilter } from '../../dataset/query/to-requests.ts'

/** Expression languages: `rawfilter` of the content service, `where` of the time series service. */
export type ExpressionLanguage = 'rawfilter' | 'where'

/** Type of a value, which determines how it is written. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'time'

/** Comparisons, named independently of the language. */
export type Comparison =
  | 'is'
  | 'isNot'
  | 'more'
  | 'atLeast'
  | 'less'
  | 'atMost'
  | 'contains'
  | 'oneOf'
  | 'noneOf'
  | 'there'
  | 'missing'

/** A row of the builder. `values` is empty if the comparison needs none, and may be incomplete. */
export type Condition = {
  readonly path: string
  readonly comparison: Comparison
  readonly kind: ValueKind
  readonly values: readonly string[]
}

/** Rows that are joined by `and` or `or`. */
export type Conditions = { readonly join: 'and' | 'or'; readonly of: readonly Condition[] }

/** Returns how many values a comparison needs. */
export function valuesTaken(comparison: Comparison): 'none' | 'one' | 'several' {
  if (comparison === 'there' || comparison === 'missing') return 'none'
  return comparison === 'oneOf' || comparison === 'noneOf' ? 'several' : 'one'
}

const ordered: readonly Comparison[] = ['is', 'isNot', 'more', 'atLeast', 'less', 'atMost']
const presence: readonly Comparison[] = ['there', 'missing']

/** Returns the comparisons that suit a type of value. */
export function comparisonsOf(kind: ValueKind): readonly Comparison[] {
  switch (kind) {
    case 'boolean':
      return ['is', ...presence]
    case 'time':
      return [...ordered, ...presence]
    case 'number':
      return [...ordered, 'oneOf', 'noneOf', ...presence]
    case 'text':
      return ['is', 'isNot', 'contains', 'oneOf', 'noneOf', ...presence]
  }
}

/** Reports whether a row can be written as a condition. */
export function isComplete({ path, comparison, kind, values }: Condition): boolean {
  if (path === '') return false
  const taken = valuesTaken(comparison)
  if (taken === 'none') return true
  return values.length > 0 && values.every((value) => isValue(kind, value))
}

function isValue(kind: ValueKind, value: string): boolean {
  switch (kind) {
    case 'text':
      return value !== ''
    case 'number':
      return value.trim() !== '' && Number.isFinite(Number(value))
    case 'boolean':
      return value === 'true' || value === 'false'
    case 'time':
      return !Number.isNaN(toMoment(value))
  }
}

/** Parses a time as typed, a day or a minute in UTC, to milliseconds since 1970. */
function toMoment(value: string): number {
  return Date.parse(value.length > 10 ? `${value}Z` : value)
}

/** Formats a time for date inputs, in UTC; midnight becomes the day alone. */
export function toTyped(iso: string): string {
  const moment = new Date(iso)
  if (Number.isNaN(moment.getTime())) return iso
  return moment
    .toISOString()
    .replace(/\.000Z$/, '')
    .replace(/Z$/, '')
    .replace(/:00$/, '')
    .replace(/T00:00$/, '')
}

/** A value in a parsed expression of either language. */
type Written =
  | { readonly kind: 'null' | 'emptyArray' }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text' | 'time'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }

/** Converts a value of an expression to that of a row; undefined if rows cannot hold it. */
export function toRow(value: Written): Pick<Condition, 'kind' | 'values'> | undefined {
  switch (value.kind) {
    case 'null':
    case 'emptyArray':
      return undefined
    case 'time':
      return { kind: 'time', values: [toTyped(value.value)] }
    case 'number':
      return Number.isFinite(value.value)
        ? { kind: 'number', values: [String(value.value)] }
        : undefined
    default:
      return { kind: value.kind, values: [String(value.value)] }
  }
}

/** Builds the row that compares a field with several values; undefined if their types differ. */
export function toMembership(
  path: string,
  comparison: Comparison,
  items: readonly Written[],
): Condition | undefined {
  const rows = items.map(toRow)
  const [kind, ...others] = new Set(rows.map((row) => row?.kind))
  if (kind === undefined || others.length > 0) return undefined
  return { path, comparison, kind, values: rows.flatMap((row) => row?.values ?? []) }
}

/** Writes a value in the syntax of an expression. */
export function quoteValue(language: ExpressionLanguage, kind: ValueKind, value: string): string {
  if (kind === 'number' || kind === 'boolean') return value
  if (language === 'where') return kind === 'time' ? value : quoteForWhere(value)
  return kind === 'time' ? `dt${quoteForRawFilter(value)}` : quoteForRawFilter(value)
}
