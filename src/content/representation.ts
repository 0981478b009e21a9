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
 * What to read of each record: its fields where the database can select them, otherwise the record
 * without its closed fields where the caller may not see them (decision D34).
 */
export function dataOf({ entity, reduced, representation }: StoredForm): Sql {
  if (representation.selectedBy === 'database') {
    return selectInDatabase({ entity, reduced, ...representation })
  }
  if (!reduced) return sql`data`
  const members = [...entity.closedFields]
  // Each use of a stored record unpacks it anew, which takes longer than anything else here: so one does for all.
  const marked = sql`
    case jsonb_typeof(record -> '_Meta') when 'object'
      then jsonb_build_object('_Meta', record -> '_Meta' || '{"Reduced": true}') else '{}' end`
  return sql`(
    select case when record ?| ${members}::text[] then record - ${members}::text[] || ${marked} else record end
    from (select data || '{}' as record offset 0) as unpacked)`
}

/**
 * The representation of records to which a field is added when they are read: `fields` does not cut it
 * (reference content.md 8.1.6). Paths inside the field are selected after it is added.
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
 * so that an object which becomes empty goes too (decision D24). Elements of arrays stay in place.
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
 * What the parameters of a request want to see of each record.
 * @throws AppError HUB-QRY-004 for a path in `fields` that cannot be read
 */
export function toRepresentation(
  { language, fields: written, removenullvalues }: RepresentationQuery,
  of: { readonly entity: Entity; readonly reduced: boolean },
): Representation {
  const fields = parseStoredFields(written ?? [], of.entity)
  const selectedBy = canSelectInDatabase({ ...of, fields, language }) ? 'database' : 'hub'
  return { language, fields, selectedBy, removeNullValues: removenullvalues }
}

/** What the caller wants to see of each record. The defaults want the record as it is. */
export type Representation = {
  readonly language?: string | undefined
  readonly fields: readonly FieldPath[]
  /**
   * Who selects the fields. The database, where it can: then what it gives has them already, and no
   * record is parsed here.
   */
  readonly selectedBy: 'database' | 'hub'
  readonly removeNullValues: boolean
}

/**
 * The JSON text of one record for the caller: first the language, then the fields, then the nulls.
 * A record that needs no change is passed on as the text the database gave, with its `Self` added.
 * @param stored JSON text of the stored record, or of its fields where the database selected them
 * @param self absolute address of the record
 */
export function represent(stored: string, self: string, wanted: Representation): string {
  const reduced = reduce(stored, self, wanted)
  if (!reduced.mustSelect && !wanted.removeNullValues) return reduced.text
  return JSON.stringify(select(reduced, wanted))
}

/** The same as a value, for formats that write no JSON. */
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

/** A record in the requested language, and whether its fields are still to be selected. */
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

/** The address depends on the deployment, so it is not stored. */
function withSelf(stored: string, self: string): string {
  return `${stored.slice(0, -1)}, "Self": ${JSON.stringify(self)}}`
}

/** One step of a field path: into a field, an element, every element (`[*]`), or every field (`*`). */
export type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'element'; readonly index: number }
  | { readonly kind: 'each' }
  | { readonly kind: 'every' }

/** A path of the `fields` parameter. Its text, as written, names the field of the answer. */
export type FieldPath = { readonly text: string; readonly steps: readonly Step[] }

/** Whether the path can have several values; then it always gives an array (decision D23). */
export function isWild(path: FieldPath): boolean {
  return path.steps.some(({ kind }) => kind === 'each' || kind === 'every')
}

const limits = { paths: 200, length: 500, steps: 20 }

/**
 * The paths of a `fields` parameter, or of another that takes such paths, each once, in the order of the
 * request (decision D23).
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

/** The same in the spelling of the stored records (decision D10); the answer has them as written. */
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
 * The flat object that `fields` requests: `Id` first, then one field per path, named as written.
 * A missing path gives null; a path with a wildcard always an array (decision D23).
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

/** Wrapped, so that an array found at a path is one value and not its elements. */
function present(value: unknown): readonly [unknown] | readonly [] {
  return value === undefined ? [] : [value]
}

function elementsOf(parent: object): readonly unknown[] {
  return Object.values(parent)
}

/** Own fields only: what every object inherits is not data. */
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

/** A function of PostgreSQL takes 100 arguments, two for each field, and `Id` is one. */
const mostPaths = 49

const codes: readonly string[] = languages

/** Whether a path leads into a language other than the requested one: a reduced record has no value there. */
export function leadsToOther(language: string | undefined, { steps }: FieldPath): boolean {
  return (
    language !== undefined &&
    steps.some(
      (step) => step.kind === 'member' && step.name !== language && codes.includes(step.name),
    )
  )
}

/**
 * Whether the database can select these fields exactly as `selectFields` does: paths of fields
 * only, and none that is made when the record is read. (A number would lead PostgreSQL into a text too.)
 */
export function canSelectInDatabase({ entity, reduced, fields, language }: Selection): boolean {
  if (fields.length === 0 || fields.length > mostPaths) return false
  // The one field of `_Meta` that depends on the caller.
  const made = reduced && entity.closedFields.length > 0 ? ['Self', '_Meta'] : ['Self']
  return fields.every(({ text, steps }) => {
    const [first] = steps
    if (first?.kind !== 'member' || made.includes(first.name)) return false
    // A field of the answer named like a language would fall to the reduction that follows.
    if (language !== undefined && codes.includes(text)) return false
    return steps.every(({ kind }) => kind === 'member')
  })
}

/** The flat object that `fields` requests, `Id` first, built by the database (decision D23). */
export function selectInDatabase(selection: Selection): Sql {
  const members = selection.fields
    .filter(({ text }) => text !== 'Id')
    .map((path) => sql`${path.text}::text, ${columnAt(path, selection)}`)
  return sql`json_build_object(${join([sql`'Id', data -> 'Id'`, ...members], ', ')})`
}

function columnAt(path: FieldPath, { entity, reduced, language }: Selection): Sql {
  const [first] = path.steps
  const isClosed = reduced && first?.kind === 'member' && entity.closedFields.includes(first.name)
  // The language is reduced before the fields are selected: what is gone by then is null.
  return isClosed || leadsToOther(language, path)
    ? sql`null::jsonb`
    : path.steps.reduce(followStep, sql`data`)
}

/** A text leads into objects only, as it should. */
function followStep(value: Sql, step: Step): Sql {
  if (step.kind !== 'member') throw new TypeError('only members are selected in the database')
  return sql`${value} -> ${step.name}::text`
}
