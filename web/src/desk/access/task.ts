import type { WriteRequest } from '../../api/index.ts'
import { words } from './words.ts'

/**
 * How a field is entered and sent. A list is entered as text with commas. An empty field is sent as
 * null by `…OrNull`, and left out by `…IfAny`.
 */
type Kind = 'text' | 'textOrNull' | 'textIfAny' | 'list' | 'listOrNull' | 'listIfAny' | 'flag'

type FieldName = keyof ReturnType<typeof words>['fields']

type FormField = {
  /** Name in the body of the request. */
  readonly name: FieldName
  readonly kind: Kind
  readonly label: string
  readonly hint?: string | undefined
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}

/** Form values by field name. */
export type Filled = Readonly<Record<string, string | boolean>>

/** A change that the user fills in or confirms before it is made. */
export type Task = {
  /** Label of the button that opens the task. */
  readonly label: string
  readonly title: string
  /** Describes the effect. Without fields, this is what the user confirms. */
  readonly lead?: string
  /** Label of the button that performs the task. */
  readonly action: string
  readonly fields: readonly FormField[]
  /** Initial values of the fields. */
  readonly record?: Readonly<Record<string, unknown>>
  readonly toRequest: (body: Readonly<Record<string, unknown>>) => WriteRequest
}

/** A line of a list, with its possible tasks. */
export type Entry = {
  readonly key: string
  readonly title: string
  readonly tags: readonly string[]
  /** Exceptional states. */
  readonly states: readonly string[]
  readonly details: readonly (readonly [label: string, value: string])[]
  readonly tasks: readonly Task[]
}

export function field(name: FieldName, kind: Kind, hint?: string): FormField {
  return { name, kind, hint, label: words().fields[name] }
}

/** Builds a task that adds an entry. */
export function adding(label: string, rest: Pick<Task, 'fields' | 'toRequest' | 'lead'>): Task {
  return { label, title: label, action: words().actions.add, ...rest }
}

/** Builds a task for an existing entry. Without fields, the user only confirms it. */
export function changing(
  label: string,
  name: string,
  rest: Partial<Task> & Pick<Task, 'toRequest'>,
): Task {
  return { label, title: words().of(label, name), action: label, fields: [], ...rest }
}

/** Returns the initial form values of a task. */
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

/** Builds the request body from form values. JSON leaves out undefined ones. */
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
  // Spaces around names and passwords are sent as entered, because the hub reports them as errors.
  return kind === 'textOrNull' ? filled.trim() : filled
}

/** Splits a text such as `A, B` into its items. */
function itemsOf(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim())
  return [...new Set(items.filter((item) => item !== ''))]
}

/** Returns label and value of each field that is not empty. */
export function detailsOf(
  record: Readonly<Record<string, unknown>>,
  names: readonly FieldName[],
): Entry['details'] {
  return names
    .map((name) => [words().fields[name], write(record[name])] as const)
    .filter(([, value]) => value !== '')
}
