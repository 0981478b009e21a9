/** Something that can be chosen: its value, how it is called, and a note beside it, such as a count. */
export type Choice = { readonly value: string; readonly label: string; readonly note?: string }

/** One thing in a menu. */
export type MenuItem = {
  readonly label: string
  readonly onSelect: () => void
  /** A choice that is, or is not, the present one. */
  readonly checked?: boolean
  /** The language of the label, where it is not the page's. */
  readonly lang?: string
}

/** What is said of a control. */
export type Labels = {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  /** The label is there for ears only, where the place says what it is. */
  readonly hidesLabel?: boolean
}

/** What a control can be set to: a list, or where it is the same each time, what each value is called. */
export type Options<Value extends string> =
  | readonly { readonly value: Value; readonly label: string }[]
  | Readonly<Record<Value, string>>

export function listOptions<Value extends string>(options: Options<Value>) {
  return isList(options)
    ? options
    : namesOf(options).map((value) => ({ value, label: options[value] }))
}

function isList<Value extends string>(
  options: Options<Value>,
): options is Extract<Options<Value>, readonly unknown[]> {
  return Array.isArray(options)
}

function namesOf<Value extends string>(options: Readonly<Record<Value, string>>): readonly Value[] {
  return Object.keys(options).filter((name): name is Value => name in options)
}
