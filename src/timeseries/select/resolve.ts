import { nearest } from '../../lang/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { printed } from '../catalogue/groups.ts'
import type { Field, FieldType, Group } from '../catalogue/groups.ts'
import { adviceFor, findField, pointers } from '../catalogue/find-field.ts'
import type { Found } from '../catalogue/find-field.ts'
import type { Level } from '../catalogue/levels.ts'
import type { Call, Entry, Name, RowCount, Select } from './grammar.ts'
import { compileCall, countRows, typeOfCall } from './compile-call.ts'
import type { CompiledCall } from './compile-call.ts'
import { rejectedSelect } from './grammar.ts'

/** A shown value: its place in a response, its type, and the SQL that prints it. */
export type Shown = {
  /** Key in a flat object. */
  readonly key: string
  /** Member in the tree. For a path, `inner` is its key inside the member. */
  readonly member: string
  readonly inner: string | undefined
  readonly field: Field
  readonly group: Group
  readonly type: FieldType
  /** SQL that prints the value, or the argument of an aggregate. */
  readonly printed: Sql
  readonly aggregate: CompiledCall | undefined
}

/**
 * Returns the fields that a `select` shows at a depth of the paths (reference 2.2).
 * @throws AppError HUB-QRY-009
 */
export function resolveSelect(select: Select, level: Level): readonly Shown[] {
  if (select.kind === 'all') return level.groups.flatMap(wholeGroup)
  const shown = select.entries.flatMap((entry) => resolveEntry(entry, level))
  const distinct = [...new Map(shown.map((value) => [value.key, value])).values()]
  if (distinct.length > 0) return distinct
  throw rejectedSelect({
    detail: 'None of the selected fields is available at this path',
    position: 0,
    expected: namesOf(level),
    hint: adviceFor(level, select.entries[0]?.text ?? '', namesOf(level)),
  })
}

/**
 * Returns the fields that an entry shows: none for a pointer to groups that the level does not
 * have.
 */
export function resolveEntry(entry: Entry, level: Level): readonly Shown[] {
  if (entry.kind === 'call') return [resolveCall(entry, level)]
  if (entry.kind === 'rows')
    return level.groups.slice(0, 1).flatMap((group) => countIn(group, entry))
  // A path after a pointer is ignored (reference 2.2 rule 7).
  const groups = pointers.get(entry.name)
  if (groups !== undefined) {
    return level.groups.filter((group) => groups.includes(group)).flatMap(wholeGroup)
  }
  return [toShown(entry, findNamed(entry, level))]
}

export function wholeGroup(group: Group): readonly Shown[] {
  return group.fields.map((field) => shownField(field, group))
}

function shownField(field: Field, group: Group): Shown {
  const { name, type } = field
  return {
    key: name,
    member: name,
    inner: undefined,
    field,
    group,
    type,
    printed: printed(field),
    aggregate: undefined,
  }
}

function toShown({ text, name, path, position }: Name, { field, group }: Found): Shown {
  if (path.length === 0) return shownField(field, group)
  return {
    ...shownField(field, group),
    key: text,
    member: name,
    inner: path.join('.'),
    type: 'json',
    printed: jsonAt(field, path) ?? notJson(name, path, position),
  }
}

/** Returns the JSON at a path of a field. JSON's null counts as missing (reference 1.12). */
function jsonAt({ type, expression, parts }: Field, path: readonly string[]): Sql | undefined {
  const root = parts?.json ?? (type === 'json' ? expression : undefined)
  return root === undefined ? undefined : sql`nullif(${root} #> ${path}::text[], 'null'::jsonb)`
}

function notJson(name: string, path: readonly string[], position: number): never {
  throw rejectedSelect({
    detail: `${name} is not JSON, so it has no field ${path.join('.')}`,
    position,
    expected: [name],
  })
}

function resolveCall(call: Call, level: Level): Shown {
  const found = findNamed(call.of, level)
  const aggregate = compileCall(call, found.field)
  return {
    ...shownField(found.field, found.group),
    key: call.text,
    member: call.text,
    type: typeOfCall(call, found.field),
    printed: aggregate.argument,
    aggregate,
  }
}

function countIn(group: Group, { text }: RowCount): readonly Shown[] {
  const argument = sql`true`
  const aggregate = { argument, apply: countRows }
  const counted = { key: text, member: text, type: 'bigint', printed: argument, aggregate } as const
  return group.fields.slice(0, 1).map((field) => ({ ...shownField(field, group), ...counted }))
}

function findNamed({ name, position }: Name, level: Level): Found {
  const found = findField(level, name)
  if (found !== undefined) return found
  const names = namesOf(level)
  const meant = nearest(name, names)
  throw rejectedSelect({
    detail: `There is no field ${name} at this path`,
    position,
    expected: meant === undefined ? names : [meant, ...names.filter((known) => known !== meant)],
    hint: adviceFor(level, name, names),
  })
}

function namesOf({ groups }: Level): readonly string[] {
  return groups.flatMap(({ fields }) => fields.map(({ name }) => name))
}
