import type { WriteRequest } from '../../api/index.ts'
import { words } from './words.ts'

/**
 * How a field is filled in and sent. A list is a text with commas; where nothing is filled in, `…OrNull` is null and
 * `…IfAny` is left out.
 */
type Kind = 'text' | 'textOrNull' | 'textIfAny' | 'list' | 'listOrNull' | 'listIfAny' | 'flag'

type FieldName = keyof ReturnType<typeof words>['fields']

type FormField = {
  /** As in the body of the request. */
  readonly name: FieldName
  readonly kind: Kind
  readonly label: string
  readonly hint?: string | undefined
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}

/** What a person has filled in. */
export type Filled = Readonly<Record<string, string | boolean>>

/** Something to be changed, after a look at what that does. */
export type Task = {
  /** On the button that begins it. */
  readonly label: string
  readonly title: string
  /** What it does; where there is nothing to fill in, this is what is confirmed. */
  readonly lead?: string
  /** On the button that does it. */
  readonly action: string
  readonly fields: readonly FormField[]
  /** What the fields have to begin with. */
  readonly record?: Readonly<Record<string, unknown>>
  readonly toRequest: (body: Readonly<Record<string, unknown>>) => WriteRequest
}

/** One line of a list, and what can be done with it. */
export type Entry = {
  readonly key: string
  readonly title: string
  readonly tags: readonly string[]
  /** What is out of the ordinary. */
  readonly states: readonly string[]
  readonly details: readonly (readonly [label: string, value: string])[]
  readonly tasks: readonly Task[]
}

export function field(name: FieldName, kind: Kind, hint?: string): FormField {
  return { name, kind, hint, label: words().fields[name] }
}

/** A task that adds something of what its label says. */
export function adding(label: string, rest: Pick<Task, 'fields' | 'toRequest' | 'lead'>): Task {
  return { label, title: label, action: words().actions.add, ...rest }
}

/** A task on what has a name; without fields it is only confirmed. */
export function changing(
  label: string,
  name: string,
  rest: Partial<Task> & Pick<Task, 'toRequest'>,
): Task {
  return { label, title: words().of(label, name), action: label, fields: [], ...rest }
}

/** The fields as they are to begin with. */
export function fill({ fields, record = {} }: Task): Filled {
  return Object.fromEntries(
    fields.map(({ name, kind }) => [
      name,
      kind === 'flag' ? record[name] === true : write(record[name]),
    ]),
  )
}

function write(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' ? value : ''
}

/** The body of a request with what is filled in; JSON leaves out what is undefined. */
export function bodyOf({ fields }: Task, filled: Filled): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, read(kind, filled[name] ?? '')]))
}

function read(kind: Kind, filled: string | boolean): unknown {
  if (typeof filled === 'boolean') return filled
  if (filled.trim() === '') {
    if (kind.endsWith('IfAny')) return undefined
    if (kind.endsWith('OrNull')) return null
  }
  if (kind.startsWith('list')) return itemsOf(filled)
  // The hub says what is wrong with spaces around a name or a password.
  return kind === 'textOrNull' ? filled.trim() : filled
}

/** `A, B`: the items of a list. */
function itemsOf(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim())
  return [...new Set(items.filter((item) => item !== ''))]
}

/** The fields of a record that say something. */
export function detailsOf(
  record: Readonly<Record<string, unknown>>,
  names: readonly FieldName[],
): Entry['details'] {
  return names
    .map((name) => [words().fields[name], write(record[name])] as const)
    .filter(([, value]) => value !== '')
}
