import type { WriteRequest } from '../../api/index.ts'

/** What a person fills in: texts, and flags. Lists are texts with commas. */
export type Values = Readonly<Record<string, string | boolean>>

type FormField = {
  /** As in the body of the request. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}

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
  /** To begin with. */
  readonly values: Values
  readonly toRequest: (values: Values) => WriteRequest
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

/** `A, B`: the items of a list. */
export function itemsOf(value: string | boolean | undefined): readonly string[] {
  const items = String(value ?? '')
    .split(',')
    .map((item) => item.trim())
  return [...new Set(items.filter((item) => item !== ''))]
}

/** The same, with null for none. */
export function itemsOrNull(value: string | boolean | undefined): readonly string[] | null {
  const items = itemsOf(value)
  return items.length === 0 ? null : items
}

export function textOrNull(value: string | boolean | undefined): string | null {
  const text = String(value ?? '').trim()
  return text === '' ? null : text
}

/** Details that have a value. */
export function stated(
  details: readonly (readonly [label: string, value: readonly string[] | string | null])[],
): Entry['details'] {
  return details
    .map(
      ([label, value]) =>
        [label, typeof value === 'string' ? value : (value ?? []).join(', ')] as const,
    )
    .filter(([, value]) => value !== '')
}
