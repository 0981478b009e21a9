import { AppError } from '../errors/index.ts'
import { LanguageError, createCursor } from '../lang/index.ts'
import type { Cursor } from '../lang/index.ts'
import { join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Entity } from './entity.ts'
import { toStoredName } from './naming.ts'
import { languages, reduceLanguage } from './reduce-language.ts'

export { languages }

type StoredForm = {
  readonly entity: Entity
  readonly reduced: boolean
  readonly representation: Representation
}

/**
 * SQL for the part of each record to read: its fields if the database can select them, otherwise
 * the record, without its closed fields if the caller may not see them (decision D34).
 */
export function dataOf({ entity, reduced, representation }: StoredForm): Sql {
  if (representation.selectedBy === 'database') {
    return selectInDatabase({ entity, reduced, ...representation })
  }
  if (!reduced) return sql`data`
  const members = [...entity.closedFields]
  // Every use of a stored record unpacks it again, which takes longer than anything else here. A
  // subquery unpacks it once for all uses.
  const marked = sql`
    case jsonb_typeof(record -> '_Meta') when 'object'
      then jsonb_build_object('_Meta', record -> '_Meta' || '{"Reduced": true}') else '{}' end`
  return sql`(
    select case when record ?| ${members}::text[] then record - ${members}::text[] || ${marked} else record end
    from (select data || '{}' as record offset 0) as unpacked)`
}

/**
 * Returns the representation of records to which a field is added when they are read: `fields` does
 * not remove it (reference content.md 8.1.6). Paths into the field are selected after it has been
 * added.
 */
export function withField(wanted: Representation, name: string): Representation {
  const { fields } = wanted
  if (fields.length === 0) return wanted
  const isAsked = fields.some(
    ({ steps: [first] }) => first?.kind !== 'member' || first.name === name,
  )
  if (isAsked) return { ...wanted, selectedBy: 'hub' }
  return { ...wanted, fields: [...fields, ...parseFields([name])] }
}

/**
 * Removes fields without content: null, and empty texts, arrays and objects, from the inside out,
 * so that an object that becomes empty is removed, too (decision D24). Elements of arrays stay in
 * place.
 */
export function removeNullValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeNullValues)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, removeNullValues(member)])
      .filter(([, member]) => !saysNothing(member)),
  )
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

type RepresentationQuery = {
  readonly language?: string
  readonly fields?: readonly string[]
  readonly removenullvalues: boolean
}

/**
 * Converts the parameters of a request to the representation of its records.
 * @throws AppError HUB-QRY-004 for an invalid path in `fields`
 */
export function toRepresentation(
  { language, fields: written, removenullvalues }: RepresentationQuery,
  of: { readonly entity: Entity; readonly reduced: boolean },
): Representation {
  const fields = parseStoredFields(written ?? [], of.entity)
  const selectedBy = canSelectInDatabase({ ...of, fields, language }) ? 'database' : 'hub'
  return { language, fields, selectedBy, removeNullValues: removenullvalues }
}

/**
 * How records are shown to the caller. Without a language, fields and `removeNullValues`, they are
 * passed on unchanged.
 */
export type Representation = {
  readonly language?: string | undefined
  readonly fields: readonly FieldPath[]
  /** Who selects the fields: the database if it can, so that the hub need not parse the records. */
  readonly selectedBy: 'database' | 'hub'
  readonly removeNullValues: boolean
}

/**
 * Returns the JSON text of a record for the caller: selects the language, then the fields, then
 * removes nulls. A record that needs no change keeps its text from the database, with `Self` added.
 * @param stored JSON text of the stored record, or of its fields if the database selected them
 * @param self absolute URL of the record
 */
export function represent(stored: string, self: string, wanted: Representation): string {
  const reduced = reduce(stored, self, wanted)
  if (!reduced.mustSelect && !wanted.removeNullValues) return reduced.text
  return JSON.stringify(select(reduced, wanted))
}

/** Returns the represented record as a value, for formats that are not JSON. */
export function toShown(stored: string, self: string, wanted: Representation): unknown {
  return select(reduce(stored, self, wanted), wanted)
}

type Reduced = { readonly text: string; readonly mustSelect: boolean }

function select({ text, mustSelect }: Reduced, wanted: Representation): unknown {
  const record: unknown = JSON.parse(text)
  const selected =
    mustSelect && typeof record === 'object' && record !== null
      ? selectFields(record, wanted.fields)
      : record
  return wanted.removeNullValues ? removeNullValues(selected) : selected
}

/**
 * Reduces a record to the requested language, and reports whether its fields must still be
 * selected.
 */
function reduce(
  stored: string,
  self: string,
  { language, fields, selectedBy }: Representation,
): Reduced {
  const isSelected = selectedBy === 'database'
  const complete = isSelected ? stored : withSelf(stored, self)
  const text = language === undefined ? complete : reduceLanguage(complete, language)
  return { text, mustSelect: fields.length > 0 && !isSelected }
}

/** Adds `Self`, which is not stored because the URL depends on the deployment. */
function withSelf(stored: string, self: string): string {
  return `${stored.slice(0, -1)}, "Self": ${JSON.stringify(self)}}`
}

/** One step of a field path: into a field, an element, every element (`[*]`), or every field (`*`). */
export type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'element'; readonly index: number }
  | { readonly kind: 'each' }
  | { readonly kind: 'every' }

/**
 * A path of the parameter `fields`. `text`, as written, is the name of the field in the response.
 */
export type FieldPath = { readonly text: string; readonly steps: readonly Step[] }

/**
 * Reports whether the path can have several values. It then always gives an array (decision D23).
 */
export function isWild(path: FieldPath): boolean {
  return path.steps.some(({ kind }) => kind === 'each' || kind === 'every')
}

const limits = { paths: 200, length: 500, steps: 20 }

/**
 * Parses the paths of `fields`, or of another parameter with such paths. Drops duplicates and keeps
 * the order of the request (decision D23).
 * @throws AppError HUB-QRY-004 with the position in the path
 */
export function parseFields(
  written: readonly string[],
  parameter = 'fields',
): readonly FieldPath[] {
  const texts = [...new Set(written.map((text) => text.trim()))]
  if (texts.length > limits.paths) {
    throw new AppError('HUB-QRY-004', `${parameter} takes at most ${String(limits.paths)} paths.`)
  }
  return texts.map((text) => {
    try {
      return { text, steps: parsePath(text) }
    } catch (error) {
      throw error instanceof LanguageError ? badPath(parameter, text, error) : error
    }
  })
}

/**
 * Parses paths like `parseFields`, and converts names to the spelling of the stored records
 * (decision D10). The response keeps the spelling of the request.
 */
export function parseStoredFields(
  written: readonly string[],
  { naming }: Pick<Entity, 'naming'>,
  parameter?: string,
): readonly FieldPath[] {
  return parseFields(written, parameter).map((path) => {
    const [first, ...rest] = path.steps
    if (first?.kind !== 'member') return path
    const name = toStoredName(first.name, naming)
    return name === first.name ? path : { ...path, steps: [{ ...first, name }, ...rest] }
  })
}

function badPath(
  parameter: string,
  text: string,
  { message, position, expected }: LanguageError,
): AppError {
  const detail = `${parameter}: ${JSON.stringify(text)} is not a path. ${message}`
  return new AppError('HUB-QRY-004', detail, {
    issues: [{ parameter, detail: message, position, expected }],
    hint: "Paths look like Detail.en.Title, Tags.[*].Id, ImageGallery.[0] or Mapping['key.with.dots'].",
  })
}

/** path = step , { "." step | bracket } */
function parsePath(text: string): readonly Step[] {
  const cursor = createCursor(text)
  if (text.length > limits.length) throw cursor.fail(`at most ${String(limits.length)} characters`)
  const steps = [parseStep(cursor)]
  while (!cursor.isAtEnd()) {
    if (steps.length === limits.steps) throw cursor.fail(`at most ${String(limits.steps)} steps`)
    const bracket = parseBracket(cursor)
    if (bracket === undefined && !cursor.accept('.')) throw cursor.fail('"."', '"["', 'the end')
    steps.push(bracket ?? parseStep(cursor))
  }
  return steps
}

/** step = name | "*" | bracket */
function parseStep(cursor: Cursor): Step {
  const bracket = parseBracket(cursor)
  if (bracket !== undefined) return bracket
  const name = cursor.match(/[^.[\]'"\s]+/y)
  if (name === undefined) throw cursor.fail('a field name', '"["')
  if (name === '*') return { kind: 'every' }
  return { kind: 'member', name }
}

/** bracket = "[" , ( "*" | index | quoted | nothing ) , "]" */
function parseBracket(cursor: Cursor): Step | undefined {
  if (!cursor.accept('[')) return undefined
  const step = parseBracketed(cursor)
  if (!cursor.accept(']')) throw cursor.fail('"]"')
  return step
}

function parseBracketed(cursor: Cursor): Step {
  const quoted = cursor.match(/'[^']*'|"[^"]*"/y)
  if (quoted !== undefined) return { kind: 'member', name: quoted.slice(1, -1) }
  const index = cursor.match(/\d{1,6}/y)
  if (index !== undefined) return { kind: 'element', index: Number(index) }
  cursor.accept('*')
  return { kind: 'each' }
}

/**
 * Returns the flat object that `fields` requests: `Id` first, then one field per path, named as
 * written. A missing path gives null, and a path with a wildcard always gives an array (decision
 * D23).
 */
export function selectFields(record: object, paths: readonly FieldPath[]): object {
  const selected: [string, unknown][] = paths.map((path) => [path.text, valueAt(record, path)])
  return Object.fromEntries([['Id', memberOf(record, 'Id') ?? null], ...selected])
}

function valueAt(record: object, path: FieldPath): unknown {
  const found = path.steps.reduce<readonly unknown[]>(follow, [record])
  return isWild(path) ? found : (found[0] ?? null)
}

function follow(values: readonly unknown[], step: Step): readonly unknown[] {
  return values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return []
    switch (step.kind) {
      case 'each':
      case 'every':
        return elementsOf(value)
      case 'element':
        return Array.isArray(value) ? present(value[step.index]) : []
      case 'member':
        return Array.isArray(value) ? [] : present(memberOf(value, step.name))
    }
  })
}

/** Wraps a value, so that an array found at a path counts as one value and is not flattened. */
function present(value: unknown): readonly [unknown] | readonly [] {
  return value === undefined ? [] : [value]
}

function elementsOf(parent: object): readonly unknown[] {
  return Object.values(parent)
}

/** Returns an own field only, because inherited properties are not data. */
function memberOf(parent: object, name: string): unknown {
  const value: unknown = Object.getOwnPropertyDescriptor(parent, name)?.value
  return value
}

type Selection = {
  readonly entity: Entity
  /** Whether closed fields are left out for this caller (decision D34). */
  readonly reduced: boolean
  readonly fields: readonly FieldPath[]
  readonly language?: string | undefined
}

/**
 * Maximum number of paths: a PostgreSQL function accepts 100 arguments, two for each field, and
 * `Id` is one field.
 */
const maxPaths = 49

const codes: readonly string[] = languages

/**
 * Reports whether a path leads into a language other than the requested one. A record reduced to
 * its language has no value there.
 */
export function leadsToOther(language: string | undefined, { steps }: FieldPath): boolean {
  return (
    language !== undefined &&
    steps.some(
      (step) => step.kind === 'member' && step.name !== language && codes.includes(step.name),
    )
  )
}

/**
 * Reports whether the database can select these fields exactly as `selectFields` does: the paths
 * must consist of names only, and none may be computed when the record is read. (A number would
 * make PostgreSQL step into a text, too.)
 */
export function canSelectInDatabase({ entity, reduced, fields, language }: Selection): boolean {
  if (fields.length === 0 || fields.length > maxPaths) return false
  // `_Meta` contains one field that depends on the caller.
  const made = reduced && entity.closedFields.length > 0 ? ['Self', '_Meta'] : ['Self']
  return fields.every(({ text, steps }) => {
    const [first] = steps
    if (first?.kind !== 'member' || made.includes(first.name)) return false
    // The language reduction that follows would remove a result field named like a language.
    if (language !== undefined && codes.includes(text)) return false
    return steps.every(({ kind }) => kind === 'member')
  })
}

/** SQL for the flat object that `fields` requests, `Id` first (decision D23). */
export function selectInDatabase(selection: Selection): Sql {
  const members = selection.fields
    .filter(({ text }) => text !== 'Id')
    .map((path) => sql`${path.text}::text, ${columnAt(path, selection)}`)
  return sql`json_build_object(${join([sql`'Id', data -> 'Id'`, ...members], ', ')})`
}

function columnAt(path: FieldPath, { entity, reduced, language }: Selection): Sql {
  const [first] = path.steps
  const isClosed = reduced && first?.kind === 'member' && entity.closedFields.includes(first.name)
  // The language is reduced before the fields are selected, so values in other languages are null.
  return isClosed || leadsToOther(language, path)
    ? sql`null::jsonb`
    : path.steps.reduce(followStep, sql`data`)
}

/** SQL for one step. The operator steps into objects only, because its operand is a text. */
function followStep(value: Sql, step: Step): Sql {
  if (step.kind !== 'member') throw new TypeError('only members are selected in the database')
  return sql`${value} -> ${step.name}::text`
}
