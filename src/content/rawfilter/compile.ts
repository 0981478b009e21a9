import { all, any, empty, identifier, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { columnsOf, defaultKeys } from '../table.ts'
import type {
  Comparison,
  Expression,
  Likeness,
  Membership,
  Operator,
  RawFilter,
  Scalar,
  Segment,
  Term,
} from './ast.ts'
import { printNumber, toPattern } from './lexer.ts'
import { flagColumn, isHidden, jsonAt, textAt, textColumn, toStoredField } from './resolve.ts'
import type { Scope, StoredField } from './resolve.ts'

/**
 * SQL for a condition on an indexed column that holds wherever `in` finds one of the values,
 * followed by `and`. An index then finds the candidate rows. Empty if no column gives such a
 * condition.
 */
function narrowing(field: StoredField, values: readonly Scalar[]): Sql {
  const texts = values.flatMap((value) => (value.kind === 'text' ? [value.value] : []))
  if (texts.length < values.length) return empty
  const longest = texts.reduce((long, text) => (text.length > long.length ? text : long), '')
  const column = textColumn(field, longest)
  if (column !== undefined) return sql`${column} = any(${texts}::text[]) and `
  return narrowingSet(field, texts)
}

/**
 * Returns a condition on the first key of the default order that holds wherever a short name equals
 * a text, so that the index of that order finds the rows. Only for parts that the whole filter
 * depends on: the key of a record without a name has a value, so the condition is false there
 * although `eq` is unknown.
 */
function narrowingKey(part: Expression, scope: Scope): Sql | undefined {
  if (part.kind !== 'comparison' || part.operator !== 'eq' || part.value.kind !== 'text') return
  const [key] = defaultKeys(scope.entity)
  const column = textColumn(toStoredField(part.field, scope), part.value.value)
  if (key === undefined || column?.text !== identifier(key.name).text) return
  return sql`${key.value} = ${part.value.value}`
}

/**
 * Texts that the set columns are sure to hold as they are. Sets leave out very long texts and do
 * not keep control characters; in lower case they are reliable for ASCII only.
 */
const inSets = /^[^\p{Cc}]{1,250}$/u
const inLowerSets = /^[\x20-\x7e]{1,250}$/

function narrowingSet(field: StoredField, texts: readonly string[]): Sql {
  const { entity, naming } = field.scope
  const known: Readonly<Record<string, { readonly column: string; readonly isLower?: true }>> = {
    TagIds: { column: 'tag_ids' },
    'Tags.Id': { column: 'tag_ids' },
    AreaIds: { column: 'area_ids' },
    PublishedOn: { column: 'published_on', isLower: true },
    SmgTags: { column: 'hub_tags', isLower: true },
    [`${naming.tags}.Id`]: { column: 'hub_tags', isLower: true },
  }
  const found = known[field.names.join('.')]
  if (found === undefined || !(found.column in columnsOf(entity))) return empty
  const isSure = texts.every((text) => (found.isLower ? inLowerSets : inSets).test(text))
  if (!isSure) return empty
  const wanted = found.isLower ? texts.map((text) => text.toLowerCase()) : texts
  return sql`${identifier(found.column)} && ${wanted}::text[] and `
}

/**
 * Compiles `in` and `nin`: whether a value that the field selects equals one of the listed values,
 * including its type. Arrays are searched wherever they occur, with or without `[*]` (decision
 * D35). A flag that is stored as a text is found like in a comparison (decision D66).
 */
function compileMembership(field: StoredField, { test, values }: Membership): Sql {
  const { root, path } = toSelection(field)
  const filter = values.map((value) => `@ == ${toJsonPathLiteral(value)}`).join(' || ')
  const exact = sql`coalesce(${root} @? ${`${path} ? (${filter})`}::jsonpath, false)`
  const found = any([...flagsIn(field, values), exact])
  return test === 'in' ? sql`(${narrowing(field, values)}${found})` : sql`(not ${found})`
}

function flagsIn(field: StoredField, values: readonly Scalar[]): readonly Sql[] {
  const flags = values.flatMap((value) => (value.kind === 'boolean' ? [value.value] : []))
  const column = flagColumn(field)
  if (column === undefined || flags.length === 0) return []
  return [sql`coalesce(${column} = any(${flags}::boolean[]), false)`]
}

/**
 * Compiles `likein`: whether a text that the field selects matches one of the patterns, in any
 * letter case.
 */
function compileLikeness(field: StoredField, { patterns }: Likeness): Sql {
  const { root, path } = toSelection(field)
  const read = patterns.map(toPattern)
  const pieces = read.flatMap((pattern) =>
    pattern.kind === 'text' ? [containsLiteral(pattern.text)] : [],
  )
  const regexes = read.flatMap((pattern) => (pattern.kind === 'regex' ? [pattern.source] : []))
  return sql`exists (
    select from jsonb_path_query(${root}, ${`${path}[*] ? (@.type() == "string")`}::jsonpath) as found (value)
    where value #>> '{}' ilike any(${pieces}::text[]) or value #>> '{}' ~* any(${regexes}::text[]))`
}

function containsLiteral(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/**
 * Splits a field into the JSON to start from and the path from there. Numbers before the first
 * array step are left to PostgreSQL's `#>`, which decides whether a number is the index of an
 * element or the name of a field.
 */
function toSelection(field: StoredField): { readonly root: Sql; readonly path: string } {
  const { segments } = field
  const firstEach = segments.findIndex(({ kind }) => kind === 'each')
  const plain = firstEach === -1 ? segments : segments.slice(0, firstEach)
  const head = plain.findLastIndex((segment) => isIndex(segment)) + 1
  // Before the first array step, every segment is a name.
  const isWhole = head === 0 && !isHidden(field)
  const root = isWhole
    ? sql`data`
    : sql`(${jsonAt({ ...field, names: field.names.slice(0, Math.max(head, 1)) })})`
  return { root, path: `$${segments.slice(head).map(toAccessor).join('')}` }
}

function toAccessor(segment: Segment): string {
  if (segment.kind === 'each') return '[*]'
  const { name } = segment
  return isIndex(segment) ? `[${Number(name)}]` : `.${JSON.stringify(name)}`
}

function isIndex(segment: Segment): boolean {
  return segment.kind === 'name' && /^\d{1,6}$/.test(segment.name)
}

/**
 * Prints a value as jsonpath. No stored number is infinite or NaN, so such a value equals nothing.
 */
function toJsonPathLiteral(value: Scalar): string {
  if (value.kind !== 'number') return JSON.stringify(value.value)
  return Number.isFinite(value.value) ? printNumber(value.value) : '"" && 1 == 0'
}

/**
 * Compiles a filter to a condition for a `where`: the expression itself, and conditions by which an
 * index finds the rows. The latter may be false where the expression is unknown.
 */
export function compileRawFilter({ expression }: RawFilter, scope: Scope): Sql {
  const keys = conjunctsOf(expression).flatMap((part) => narrowingKey(part, scope) ?? [])
  return all([...keys, compileExpression(expression, scope)])
}

/** Returns the parts that must all hold for the expression to hold. */
function conjunctsOf(expression: Expression): readonly Expression[] {
  return expression.kind === 'and' ? expression.of.flatMap(conjunctsOf) : [expression]
}

/**
 * Compiles an expression to a condition on a row (reference content.md 2.2, decision D35). It is
 * unknown, and therefore no match, if a comparison finds no value; `not` does not change that.
 */
export function compileExpression(expression: Expression, scope: Scope): Sql {
  switch (expression.kind) {
    case 'and':
      return all(expression.of.map((part) => compileExpression(part, scope)))
    case 'or':
      return any(expression.of.map((part) => compileExpression(part, scope)))
    case 'not':
      return sql`(not ${compileExpression(expression.of, scope)})`
    default:
      return compileTerm(expression, scope)
  }
}

function compileTerm(term: Term, scope: Scope): Sql {
  const field = toStoredField(term.field, scope)
  switch (term.kind) {
    case 'comparison':
      return compileComparison(field, term)
    case 'membership':
      return compileMembership(field, term)
    case 'likeness':
      return compileLikeness(field, term)
    case 'like':
      return sql`(${textAt(field)} ilike ${contains(term.pattern)})`
    case 'presence':
      return term.test === 'isnull'
        ? sql`(${textAt(field)} is null)`
        : sql`(${textAt(field)} is not null)`
  }
}

/**
 * Returns the pattern for `like`. `%` and `_` remain wildcards, as in the reference; a backslash is
 * literal.
 */
function contains(pattern: string): string {
  return `%${pattern.replaceAll('\\', '\\\\')}%`
}

const operators: Readonly<Record<Operator, Sql>> = {
  eq: sql`=`,
  ne: sql`<>`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
}

/**
 * Compiles a comparison: unknown if the record has no value (missing or null), false if the value
 * has another type than the operand (decision D35). A text is compared with the text of any value.
 * Texts are sorted by code point, like all texts of the hub, whatever the server.
 */
function compileComparison(field: StoredField, { operator, value }: Comparison): Sql {
  const compare = operators[operator]
  switch (value.kind) {
    case 'text': {
      const written = textColumn(field, value.value) ?? textAt(field)
      return sql`((${written}) collate "C" ${compare} ${value.value}::text)`
    }
    case 'boolean':
      return compareFlag(field, accepted[operator](value.value))
    case 'number':
      return compareNumber(field, operator, value.value)
    case 'time':
      return compareTime(field, compare, value.value)
    case 'emptyArray':
      return sql`(${valueAt(field)} ${compare} '[]'::jsonb)`
  }
}

/** SQL for the JSON value, or null if it is missing or JSON null: neither is a value. */
function valueAt(field: StoredField): Sql {
  return sql`nullif(${jsonAt(field)}, 'null')`
}

function compareFlag(field: StoredField, flags: readonly boolean[]): Sql {
  // An empty list would give false where the comparison must be unknown.
  if (flags.length === 0) return sql`(${valueAt(field)} = 'null'::jsonb)`
  const column = flagColumn(field)
  if (column !== undefined) return sql`(${column} = any(${flags}::boolean[]))`
  return sql`(${valueAt(field)} = any(${flags.map(String)}::jsonb[]))`
}

/** Flags for which a comparison is true; false is less than true. */
const accepted: Readonly<Record<Operator, (operand: boolean) => readonly boolean[]>> = {
  eq: (operand) => [operand],
  ne: (operand) => [!operand],
  gt: (operand) => (operand ? [] : [true]),
  ge: (operand) => (operand ? [true] : [true, false]),
  lt: (operand) => (operand ? [false] : []),
  le: (operand) => (operand ? [true, false] : [false]),
}

/**
 * Compares with a number. For equality jsonb compares numbers as numbers; all other operators must
 * check the type first.
 */
function compareNumber(field: StoredField, operator: Operator, value: number): Sql {
  const text = Number.isFinite(value) ? printNumber(value) : String(value)
  if (operator === 'eq' && Number.isFinite(value)) {
    return sql`(${valueAt(field)} = to_jsonb(${text}::numeric))`
  }
  return sql`(select case jsonb_typeof(value)
      when 'number' then value::numeric ${operators[operator]} ${text}::numeric
      when 'null' then null else false end
    from ${onceAt(field)})`
}

/**
 * Compares with a time. Only texts that are certain to be times are cast, because a cast that fails
 * would fail the whole list.
 */
function compareTime(field: StoredField, compare: Sql, value: string): Sql {
  return sql`(select case jsonb_typeof(value)
      when 'null' then null
      when 'string' then case when value #>> '{}' ~ ${timeForm} then
        (value #>> '{}' || case when value #>> '{}' ~ ${zonedForm} then '' else 'Z' end)::timestamptz
          ${compare} ${value}::timestamptz else false end
      else false end
    from ${onceAt(field)})`
}

/**
 * SQL that extracts the value from the record once, however often the comparison uses it, because
 * unpacking dominates the cost.
 */
function onceAt(field: StoredField): Sql {
  return sql`(select coalesce(${jsonAt(field)}, 'null') as value offset 0) as field`
}

/**
 * The dates and times in records, as PostgreSQL patterns. Whatever matches `timeForm` is a day and
 * a time that exist, so that casting it cannot fail. PostgreSQL 15 cannot try a cast, and a
 * function that catches its error cannot run in a parallel plan.
 */
const long = '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])'
const short = '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)'
const february = '02-(?:0[1-9]|1[0-9]|2[0-8])'
const leapDay = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29'
const day = `(?!0000)(?:[0-9]{4}-(?:${long}|${short}|${february})|${leapDay})`
const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?'
const zone = '(?:Z|[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)'

/** A day, or a day and a time, with or without a zone. */
const timeForm = `^${day}(?:[T ]${time}${zone}?)?$`

/** Matches the values of `timeForm` that name their zone. All others are in UTC. */
const zonedForm = `:.*${zone}$`
